// The energies of Theorems 1 and 2 (Sec. 3.3 and Appx. C), for stationary velocities v_i and a fixed
// atlas A. Integrals are sums over voxels, the voxel being the unit of length and volume. All are scalars,
// differentiable in the velocities by autograd, through scaling and squaring; what the theorems say of
// their derivatives is in gradient.h.
#pragma once

#include "flow.h"

namespace aladdin::theory {

// Phi_{0,1}^{v_i} - id pulls I_i to the atlas, Phi_{1,0}^{v_i} - id the atlas to I_i: (n, dims, …).
struct Maps {
  at::Tensor phi_01, phi_10;

  Maps of(int64_t i) const { return {phi_01.narrow(0, i, 1), phi_10.narrow(0, i, 1)}; }
};

Maps integrate(const at::Tensor& velocities, const Numerics& numerics);

struct Population {
  at::Tensor atlas;   // A: (1, 1, …)
  at::Tensor images;  // I_i: (N, 1, …)

  int64_t size() const { return images.size(0); }
  at::Tensor image(int64_t i) const { return images.narrow(0, i, 1); }
};

struct Weights {
  double lambda = 1, gamma1 = 0, gamma2 = 0;
};

// || A o Phi_{1,0}^{v_i} - I_i ||^2
at::Tensor similarity_energy(const at::Tensor& atlas, const at::Tensor& image, const Maps& maps,
                             Interpolation interpolation);

// Reg(v_i) = sum_k || H_k(Phi_{1,0}^{v_i}) ||_F^2, the regulariser of Eq. 6: zero for affine maps.
at::Tensor regularity_energy(const Maps& maps);

// || I_i o Phi_{0,1}^{v_i} - I_j o Phi_{0,1}^{v_j} ||^2
at::Tensor atlas_pair_energy(const at::Tensor& image_i, const Maps& maps_i,
                             const at::Tensor& image_j, const Maps& maps_j,
                             Interpolation interpolation);

// || I_i o Phi_{0,1}^{v_i} o Phi_{1,0}^{v_j} - I_j ||^2, one of the two directions of a pair.
at::Tensor image_pair_energy(const at::Tensor& image_i, const Maps& maps_i,
                             const at::Tensor& image_j, const Maps& maps_j,
                             Interpolation interpolation);

// Theorem 1:  E_0 = sum_i [ lambda Reg(v_i) + similarity_i ]
at::Tensor atlas_energy(const Population& population, const at::Tensor& velocities, double lambda,
                        const Numerics& numerics);

// Theorem 2:  E_1 = sum_{i<j} [ lambda Reg(v_i) + similarity_i + lambda Reg(v_j) + similarity_j
//                             + gamma1 atlas pair_{ij} + gamma2 (image pair_{ij} + image pair_{ji}) ]
at::Tensor pairwise_energy(const Population& population, const at::Tensor& velocities,
                           const Weights& weights, const Numerics& numerics);

}  // namespace aladdin::theory
