#include <algorithm>

#include "aladdin/kernels/bending.h"

namespace aladdin::kernels::reference {

template <class T>
double bending_energy(const T* u, T* grad_u, const Shape& s, const std::array<double, 3>& spacing) {
  const std::int64_t size[3] = {s.w, s.h, s.d}, stride[3] = {1, s.w, s.w * s.h};
  // An axis that is too short has no margin and takes no part.
  std::int64_t margin[3];
  for (int axis = 0; axis < 3; ++axis) margin[axis] = size[axis] >= 3 ? 1 : 0;
  double interior = 1;
  for (int axis = 0; axis < 3; ++axis)
    interior *= static_cast<double>(size[axis] - 2 * margin[axis]);
  const double mean = 1.0 / (static_cast<double>(s.n) * interior);

  if (grad_u) std::fill_n(grad_u, s.n * s.dims * s.voxels(), T{0});
  double energy = 0;
  for (std::int64_t field = 0; field < s.n * s.dims; ++field)
    for (std::int64_t z = margin[2]; z < s.d - margin[2]; ++z)
      for (std::int64_t y = margin[1]; y < s.h - margin[1]; ++y)
        for (std::int64_t x = margin[0]; x < s.w - margin[0]; ++x) {
          const std::int64_t v = field * s.voxels() + x + s.w * (y + s.h * z);
          for (int i = 0; i < s.dims; ++i)
            for (int j = i; j < s.dims; ++j) {
              if (!margin[i] || !margin[j]) continue;
              const double scale = spacing[field % s.dims] / (spacing[i] * spacing[j]);
              const double factor = mean * scale * scale * (i == j ? 1 : 2);
              const std::int64_t p = stride[i], q = stride[j];
              const double second =
                  i == j ? u[v + p] - 2.0 * u[v] + u[v - p]
                         : 0.25 * (u[v + p + q] - u[v + p - q] - u[v - p + q] + u[v - p - q]);
              energy += factor * second * second;
              if (!grad_u) continue;
              const T g = static_cast<T>(2 * factor * second * (i == j ? 1 : 0.25));
              if (i == j) {
                grad_u[v + p] += g;
                grad_u[v] -= 2 * g;
                grad_u[v - p] += g;
              } else {
                grad_u[v + p + q] += g;
                grad_u[v + p - q] -= g;
                grad_u[v - p + q] -= g;
                grad_u[v - p - q] += g;
              }
            }
        }
  return energy;
}

template double bending_energy(const float*, float*, const Shape&, const std::array<double, 3>&);
template double bending_energy(const double*, double*, const Shape&, const std::array<double, 3>&);

}  // namespace aladdin::kernels::reference
