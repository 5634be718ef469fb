#include "aladdin/train/smooth.h"

#include <cmath>

namespace aladdin {

at::Tensor smooth(const at::Tensor& field, double sigma) {
  if (sigma <= 0) return field;
  const int radius = static_cast<int>(std::ceil(3 * sigma));
  const at::Tensor at = at::arange(-radius, radius + 1, field.options());
  at::Tensor kernel = (at.square() * (-0.5 / (sigma * sigma))).exp();
  kernel = kernel / kernel.sum();
  const int64_t dims = field.dim() - 2;
  std::vector<int64_t> planes{field.size(0) * field.size(1), 1};
  planes.insert(planes.end(), field.sizes().begin() + 2, field.sizes().end());
  at::Tensor out = field.reshape(planes);
  const std::vector<int64_t> ones(dims, 1), zeros(dims, 0);
  for (int64_t d = 0; d < dims; ++d) {
    std::vector<int64_t> shape(dims + 2, 1), pad(dims, 0);
    shape[2 + d] = 2 * radius + 1;
    pad[d] = radius;
    out = at::convolution(out, kernel.view(shape), {}, ones, pad, ones, false, zeros, 1);
  }
  return out.view(field.sizes());
}

}  // namespace aladdin
