// He and Chung, "Unsupervised end-to-end groupwise registration framework without generating templates"
// (ICIP 2020), as the paper runs it (row G): one step, one iteration, with an atlas by Eq. 3. The
// batch is the group. With u_i the displacement that pulls I_i to the atlas and J_i = I_i o (id + u_i),
//
//   E = sim (mean_i L(J_i, A) + mean_{i<j} L(J_i, J_j))      L_sim, within the group and with the atlas
//     + lambda mean_i R(u_i)                                 L_grad, of first differences
//     + middle mean_x |mean_i u_i|^2                         L_pres: the group stays where it is
//     + cycle mean_i |u_i + w_i o (id + u_i)|^2              L_cycle
//
// w_i pulls the atlas to I_i: the same network with its two inputs exchanged. Our reading of the
// description: the paper names the four terms and their weights (0.4, 10, 1, 0.1), not their formulas.
#pragma once

#include "aladdin/method/terms.h"

namespace aladdin {

Terms he_energy(const LossConfig& config, const Similarity& similarity, const at::Tensor& atlas,
                const Batch& batch, const Fields& fields, const std::array<double, 3>& spacing_mm);

}  // namespace aladdin
