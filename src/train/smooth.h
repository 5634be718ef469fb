// A Gaussian over fields, separable; the field is zero outside. Symmetric, so its own derivative.
#pragma once

#include <ATen/ATen.h>

namespace aladdin {

// field (n, channels, [d,] h, w); sigma in voxels, 0: the field itself. Differentiable.
at::Tensor smooth(const at::Tensor& field, double sigma);

}  // namespace aladdin
