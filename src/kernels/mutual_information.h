// Normalised mutual information of two images with intensities in [0, 1], by Parzen windows: each intensity votes for
// the two nearest of `bins` bins, linearly, so that the joint histogram p is differentiable.
//
//   loss = 2 - (H(a) + H(b)) / H(a, b),   H(p) = -sum p log p
//
// 0 for a perfect match, 1 for none. Intensities outside [0, 1] are clamped and have no gradient. One item; the same
// bits for any number of threads. The same in plain Torch, for both images: loss/mutual_information.h.
#pragma once

#include "aladdin/kernels/field.h"

namespace aladdin::kernels {

// Returns the loss; writes its gradient by a (overwritten) unless grad_a is null.
double mutual_information(const float* a, const float* b, float* grad_a, const Shape& shape,
                          int bins);

}  // namespace aladdin::kernels
