// kernels/warp.h as differentiable Torch operators, in both arguments, once.
#pragma once

#include "aladdin/ops/tensor.h"

namespace aladdin::ops {

// in(x + u(x)); in: (n, channels, …), u: (n, dims, …).
at::Tensor warp(const at::Tensor& in, const at::Tensor& u,
                kernels::Border border = kernels::Border::clamp);

// u + v(x + u): the displacement of (id + v) o (id + u).
at::Tensor compose(const at::Tensor& v, const at::Tensor& u);

}  // namespace aladdin::ops
