// The Frechet derivatives of Theorems 1 and 2 (Sec. 3.3 and Appx. C), as time integrals along the flow
// of v_i: the fields G with  d/de E(v_i + e h)|_{e=0} = sum_x G(x) . h(x).  docs/theory.md derives them.
//
//   J_t = A o Phi_{t,0}^{v_i},   J_t^i = I_i o Phi_{t,1}^{v_i}
//
// They are derivatives of the continuous energies, sampled on the grid: they agree with autograd through
// the discrete ones (energy.h) up to discretisation. They hold where the flow maps the domain onto
// itself (v tangential at its border) or the images vanish near it. Each is (1, dims, …).
//
// Two deviations from the theorem as it is printed: the mean in J-hat is over I_j, not I_i, and the sum of
// the determinants is taken where Phi_{t,0} leads.
#pragma once

#include "mean_image.h"

namespace aladdin::theory {

// The derivative of || A o Phi_{1,0}^{v_i} - I_i ||^2 (Theorem 1):
//
//   -2 int_0^1 |D Phi_{t,1}| (J_t - J_t^i) grad J_t dt
at::Tensor similarity_gradient(const at::Tensor& atlas, const at::Tensor& image, const Flow& flow);

// The derivative of Reg(v_i) = sum_k || H_k(Phi_{1,0}^{v_i}) ||_F^2, which the paper leaves as grad Reg:
//
//   -2 int_0^1 |D Phi_{t,1}| (D Phi_{t,0})^T (Laplacian^2 Phi_{1,0}) o Phi_{t,1} dt
at::Tensor regularity_gradient(const Flow& flow);

// The derivative of sum_{j != i} || I_i o Phi_{0,1}^{v_i} - I_j o Phi_{0,1}^{v_j} ||^2:
//
//   -2 N int_0^1 |D Phi_{t,0}| (J-hat_t - J_t^i) grad J_t^i dt,   J-hat_t = I-hat o Phi_{t,0}^{v_i}
at::Tensor atlas_pair_gradient(const at::Tensor& backward_mean, int64_t population_size,
                               const at::Tensor& image, const Flow& flow);

// The derivative of sum_{j != i} || I_i o Phi_{0,1}^{v_i} o Phi_{1,0}^{v_j} - I_j ||^2, where I_i is moved:
//
//   -2 int_0^1 (sum_j |D Phi_{0,1}^{v_j}|) o Phi_{t,0} |D Phi_{t,0}| (J-tilde_t - J_t^i) grad J_t^i dt,
//
//   J-tilde_t = I-tilde o Phi_{t,0}^{v_i}
at::Tensor image_pair_source_gradient(const ForwardMean& forward_mean, const at::Tensor& image,
                                      const Flow& flow);

// The derivative of sum_{j != i} || I_j o Phi_{0,1}^{v_j} o Phi_{1,0}^{v_i} - I_i ||^2, where I_i is the target:
//
//   -2 int_0^1 sum_j |D Phi_{t,1}| (J_t^{j,i} - J_t^i) grad J_t^{j,i} dt,
//
//   J_t^{j,i} = I_j o Phi_{0,1}^{v_j} o Phi_{t,0}^{v_i};   warped: I_j o Phi_{0,1}^{v_j}, (N, 1, …)
at::Tensor image_pair_target_gradient(const at::Tensor& warped, int64_t i, const at::Tensor& image,
                                      const Flow& flow);

// The derivatives of E_0 and E_1 in every v_i: (N, dims, …). The Euler-Lagrange equations set them to zero.
//
//   grad_i E_0 = lambda Reg + similarity
//   grad_i E_1 = (N - 1) (lambda Reg + similarity) + gamma1 atlas pairs + gamma2 (source + target)
at::Tensor atlas_energy_gradient(const Population& population, const at::Tensor& velocities,
                                 double lambda, const Numerics& numerics);
at::Tensor pairwise_energy_gradient(const Population& population, const at::Tensor& velocities,
                                    const Weights& weights, const Numerics& numerics);

}  // namespace aladdin::theory
