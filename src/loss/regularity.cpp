#include "aladdin/loss/regularity.h"

#include "aladdin/core/error.h"
#include "aladdin/ops/bending.h"

namespace aladdin {

at::Tensor gradient_energy(const at::Tensor& u, const std::array<double, 3>& spacing_mm) {
  const int dims = int(u.size(1));
  at::Tensor energy = at::zeros({}, u.options());
  for (int axis = 0; axis < dims; ++axis) {
    const int64_t dim = u.dim() - 1 - axis, size = u.size(dim);
    if (size < 2) continue;
    const at::Tensor step = u.narrow(dim, 1, size - 1) - u.narrow(dim, 0, size - 1);
    for (int c = 0; c < dims; ++c) {
      const double scale = spacing_mm[c] / spacing_mm[axis];
      energy = energy + step.select(1, c).square().mean() * (scale * scale);
    }
  }
  return energy;
}

at::Tensor Regularity::operator()(const at::Tensor& velocity, const at::Tensor& to_atlas,
                                  const std::array<double, 3>& spacing_mm) const {
  switch (kind_) {
    case RegulariserKind::bending:
      return ops::bending_energy(to_atlas, spacing_mm);
    case RegulariserKind::gradient:
      return gradient_energy(to_atlas, spacing_mm);
    case RegulariserKind::velocity:
      return gradient_energy(velocity, spacing_mm);
  }
  fail("unreachable");
}

}  // namespace aladdin
