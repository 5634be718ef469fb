// The two mean images of Theorem 2, in atlas space. Both are means over the whole population, the
// subject itself among them: its own part of a pair is zero.
#pragma once

#include "energy.h"

namespace aladdin::theory {

// I_j o Phi_{0,1}^{v_j} for all j: (N, 1, …).
at::Tensor warp_to_atlas(const Population& population, const Maps& maps,
                         Interpolation interpolation);

// I-hat = 1/N sum_j I_j o Phi_{0,1}^{v_j}, which is the backward atlas (Eq. 3). warped: (N, 1, …).
at::Tensor backward_mean(const at::Tensor& warped);

// I-tilde = sum_j |D Phi_{0,1}^{v_j}| I_j o Phi_{0,1}^{v_j} / sum_j |D Phi_{0,1}^{v_j}|, which is the
// forward atlas (Eq. 4), and its denominator.
struct ForwardMean {
  at::Tensor image, weight;  // (1, 1, …)
};
ForwardMean forward_mean(const at::Tensor& warped, const Maps& maps);

}  // namespace aladdin::theory
