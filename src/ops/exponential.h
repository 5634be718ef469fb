// kernels/exponential.h as a differentiable Torch operator, once.
#pragma once

#include "aladdin/kernels/exponential.h"
#include "aladdin/ops/tensor.h"

namespace aladdin::ops {

// The displacement of exp(sign * v); v: (n, dims, …) in voxels.
at::Tensor exponential(const at::Tensor& v, int squarings = kernels::kDefaultSquarings,
                       double sign = 1.0);

}  // namespace aladdin::ops
