// Smoothing by a Gaussian (kernels/smooth.h). Differentiable.
#pragma once

#include "aladdin/ops/tensor.h"

namespace aladdin::ops {

// field (n, channels, [d,] h, w); sigma > 0, in voxels.
at::Tensor smooth(const at::Tensor& field, double sigma);

}  // namespace aladdin::ops
