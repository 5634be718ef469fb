#include "differential.h"

namespace aladdin::theory {
namespace {

int64_t dim_of(const at::Tensor& tensor, int axis) { return tensor.dim() - 1 - axis; }

at::Tensor difference(const at::Tensor& f, int axis) {
  const int64_t dim = dim_of(f, axis), size = f.size(dim);
  if (size == 1) return at::zeros_like(f);
  const auto part = [&](int64_t from, int64_t count) { return f.narrow(dim, from, count); };
  std::vector<at::Tensor> pieces{part(1, 1) - part(0, 1)};
  if (size > 2) pieces.push_back(0.5 * (part(2, size - 2) - part(0, size - 2)));
  pieces.push_back(part(size - 1, 1) - part(size - 2, 1));
  return at::cat(pieces, dim);
}

// f moved by a step along two axes, without the outermost voxel of every axis.
at::Tensor moved(const at::Tensor& f, int a, int step_a, int b, int step_b) {
  at::Tensor out = f;
  for (int axis = 0; axis < f.dim() - 2; ++axis) {
    const int64_t dim = dim_of(f, axis);
    out = out.narrow(dim, 1 + (axis == a ? step_a : 0) + (axis == b ? step_b : 0), f.size(dim) - 2);
  }
  return out;
}

// D_ab of kernels/bending.h: one voxel less at each end.
at::Tensor second_difference(const at::Tensor& f, int a, int b) {
  if (a == b) return moved(f, a, 1, -1, 0) - 2 * moved(f, -1, 0, -1, 0) + moved(f, a, -1, -1, 0);
  return 0.25 * (moved(f, a, 1, b, 1) - moved(f, a, 1, b, -1) - moved(f, a, -1, b, 1) +
                 moved(f, a, -1, b, -1));
}

}  // namespace

at::Tensor image_gradient(const at::Tensor& image) {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> components;
  for (int axis = 0; axis < image.dim() - 2; ++axis) components.push_back(difference(image, axis));
  return at::cat(components, 1);
}

at::Tensor transposed_jacobian_product(const at::Tensor& u, const at::Tensor& g) {
  const at::NoGradGuard no_grad;
  const int dims = int(u.size(1));
  std::vector<at::Tensor> components;
  for (int axis = 0; axis < dims; ++axis)
    components.push_back(g.narrow(1, axis, 1) + (difference(u, axis) * g).sum(1, /*keepdim=*/true));
  return at::cat(components, 1);
}

at::Tensor bending_derivative(const at::Tensor& u) {
  const at::NoGradGuard no_grad;
  const int dims = int(u.size(1));
  const std::vector<int64_t> pad(2 * dims, 2);
  at::Tensor sum = at::zeros_like(u);
  for (int a = 0; a < dims; ++a)
    for (int b = 0; b < dims; ++b)
      // The stencils are even: their adjoint is the same stencil, over values that are zero outside.
      sum += second_difference(at::constant_pad_nd(second_difference(u, a, b), pad), a, b);
  return 2 * sum;
}

}  // namespace aladdin::theory
