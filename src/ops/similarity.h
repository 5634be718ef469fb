// kernels/similarity.h as differentiable Torch operators, once. a, b: (n, 1, …); the result is a
// scalar.
#pragma once

#include "aladdin/ops/tensor.h"

namespace aladdin::ops {

at::Tensor mse(const at::Tensor& a, const at::Tensor& b);
at::Tensor ncc(const at::Tensor& a, const at::Tensor& b);
// `window` voxels (odd) along each axis.
at::Tensor lncc(const at::Tensor& a, const at::Tensor& b, int window);

}  // namespace aladdin::ops
