// kernels/jacobian.h as a differentiable Torch operator, once.
#pragma once

#include "aladdin/ops/tensor.h"

namespace aladdin::ops {

// (n, 1, …): the determinant of the Jacobian of id + u.
at::Tensor jacobian_determinant(const at::Tensor& u);

}  // namespace aladdin::ops
