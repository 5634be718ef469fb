#include "aladdin/method/pyramid.h"

#include "aladdin/ops/pyramid.h"

namespace aladdin {
namespace {

at::Tensor halve(const at::Tensor& image, int64_t dim) {
  const int64_t n = image.size(dim), m = (n + 1) / 2;
  if (n == 1) return image;
  const auto at_offset = [&](int64_t offset) {
    const at::Tensor index =
        (at::arange(m, image.options().dtype(at::kLong)) * 2 + offset).clamp(0, n - 1);
    return image.index_select(dim, index);
  };
  return at_offset(0) * 0.5 + (at_offset(-1) + at_offset(1)) * 0.25;
}

at::Tensor twice(const at::Tensor& field, int64_t dim, int64_t size) {
  const int64_t n = field.size(dim);
  if (size == n) return field;
  const at::Tensor next =
      n == 1 ? field : at::cat({field.narrow(dim, 1, n - 1), field.narrow(dim, n - 1, 1)}, dim);
  const at::Tensor out = at::stack({field, (field + next) * 0.5}, dim + 1).flatten(dim, dim + 1);
  return size == 2 * n ? out : out.narrow(dim, 0, size);
}

bool has_fast_kernels(const at::Tensor& tensor) {
  return tensor.device().is_cpu() && tensor.scalar_type() == at::kFloat;
}
bool has_gradient(const at::Tensor& tensor) {
  return at::GradMode::is_enabled() && tensor.requires_grad();
}

}  // namespace

at::Tensor reduce(const at::Tensor& image, int r) {
  at::Tensor out = image;
  for (; r > 1 && has_fast_kernels(image) && !has_gradient(image); r /= 2) out = ops::reduce(out);
  for (; r > 1; r /= 2)
    for (int64_t dim = 2; dim < image.dim(); ++dim) out = halve(out, dim);
  return out;
}

at::Tensor refine(const at::Tensor& field, at::IntArrayRef sizes) {
  if (has_fast_kernels(field)) return ops::refine(field, sizes);
  at::Tensor out = field * 2.0;
  for (int64_t dim = 2; dim < field.dim(); ++dim) out = twice(out, dim, sizes[dim]);
  return out;
}

at::Tensor refine(const at::Tensor& field, int from, int to, at::IntArrayRef full) {
  at::Tensor out = field;
  for (int r = from / 2; r >= to; r /= 2) {
    std::vector<int64_t> sizes = full.vec();
    for (std::size_t dim = 2; dim < sizes.size(); ++dim) sizes[dim] = (sizes[dim] + r - 1) / r;
    out = refine(out, sizes);
  }
  return out;
}

}  // namespace aladdin
