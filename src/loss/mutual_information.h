// Normalised mutual information of two images with intensities in [0, 1], by Parzen windows: each
// intensity votes for the two nearest of `bins` bins, linearly, so that the joint histogram is
// differentiable (Mattes et al. 2003 use a cubic window in one of the images).
//
//   NMI(a, b) = (H(a) + H(b)) / H(a, b),  loss = 2 - NMI: 0 for a perfect match, 1 for none
//
// Images of other ranges are clamped. Differentiable once, in both images; plain Torch.
#pragma once

#include <ATen/ATen.h>

namespace aladdin {

at::Tensor mutual_information_loss(const at::Tensor& a, const at::Tensor& b, int bins);

}  // namespace aladdin
