// Between Torch tensors and the kernels. An operator runs
//   on a CPU in float    with the fast kernels,
//   on a CPU in double   with the plain references (gradient checks),
//   on any other device  with plain Torch (ops/plain.h).
#pragma once

#include <ATen/ATen.h>

#include "aladdin/kernels/field.h"

namespace aladdin::ops {

// Images are (n, channels, [d,] h, w); displacements (n, dims, [d,] h, w) in voxels, x first.
kernels::Shape shape_of(const at::Tensor& tensor);

// True if our kernels run it; false: plain Torch. Throws unless float or double.
bool has_kernels(const at::Tensor& tensor);

// Our bugs, not the user's: shapes that do not fit together.
void require_same_grid(const at::Tensor& a, const at::Tensor& b, const char* operation);
void require_displacement(const at::Tensor& u, const char* operation);

// Calls body(float{}) or body(double{}).
template <class Body>
void with_type(const at::Tensor& tensor, Body&& body) {
  if (tensor.scalar_type() == at::kFloat) {
    body(float{});
  } else {
    body(double{});
  }
}

}  // namespace aladdin::ops
