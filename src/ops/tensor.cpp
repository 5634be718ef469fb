#include "aladdin/ops/tensor.h"

#include "aladdin/core/error.h"

namespace aladdin::ops {
kernels::Shape shape_of(const at::Tensor& tensor) {
  if (tensor.dim() == 4) return {tensor.size(0), 1, tensor.size(2), tensor.size(3), 2};
  if (tensor.dim() == 5) return {tensor.size(0), tensor.size(2), tensor.size(3), tensor.size(4), 3};
  fail("a tensor has {} dimensions, expected 4 (2-D images) or 5 (3-D images)", tensor.dim());
}

bool has_kernels(const at::Tensor& tensor) {
  if (tensor.scalar_type() != at::kFloat && tensor.scalar_type() != at::kDouble)
    fail("a tensor has the type {}, expected float or double", c10::toString(tensor.scalar_type()));
  return tensor.device().is_cpu();
}

void require_same_grid(const at::Tensor& a, const at::Tensor& b, const char* operation) {
  if (a.dim() == b.dim() && a.size(0) == b.size(0) && a.sizes().slice(2) == b.sizes().slice(2) &&
      a.scalar_type() == b.scalar_type() && a.device() == b.device())
    return;
  const auto describe = [](const at::Tensor& x) {
    return fmt::format("{} {} on {}", c10::toString(x.scalar_type()), c10::str(x.sizes()),
                       x.device().str());
  };
  fail("{}: the tensors do not fit together: {} and {}", operation, describe(a), describe(b));
}

void require_displacement(const at::Tensor& u, const char* operation) {
  const int dims = shape_of(u).dims;
  if (u.size(1) != dims)
    fail("{}: a displacement has {} components, expected {}", operation, u.size(1), dims);
}

}  // namespace aladdin::ops
