// kernels/exponential.h as a differentiable Torch operator, once.
#pragma once

#include "aladdin/kernels/exponential.h"
#include "aladdin/ops/tensor.h"

namespace aladdin::ops {

// The displacement of exp(sign * v); v: (n, dims, …) in voxels. Under the zero rule, which only the
// published code wants, it is composed warp by warp: slow, and every step is kept for the gradient.
at::Tensor exponential(const at::Tensor& v, int squarings = kernels::kDefaultSquarings,
                       double sign = 1.0, kernels::Border border = kernels::Border::clamp);

}  // namespace aladdin::ops
