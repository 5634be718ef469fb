#include <algorithm>

#include "aladdin/core/linear.h"
#include "aladdin/kernels/jacobian.h"

namespace aladdin::kernels::reference {
namespace {

// The two neighbours of a difference along one axis and its factor; equal on an axis of one voxel.
struct Difference {
  std::int64_t low, high;
  double factor;
};

Difference difference(std::int64_t i, std::int64_t size, std::int64_t stride) {
  const std::int64_t low = std::max<std::int64_t>(i - 1, 0), high = std::min(i + 1, size - 1);
  return {(low - i) * stride, (high - i) * stride,
          high == low ? 0.0 : 1.0 / static_cast<double>(high - low)};
}

template <class T, class Use>
void for_each_jacobian(const T* u, const Shape& s, Use&& use) {
  const std::int64_t voxels = s.voxels();
  for (std::int64_t n = 0; n < s.n; ++n)
    for (std::int64_t z = 0; z < s.d; ++z)
      for (std::int64_t y = 0; y < s.h; ++y)
        for (std::int64_t x = 0; x < s.w; ++x) {
          const Difference along[3] = {difference(x, s.w, 1), difference(y, s.h, s.w),
                                       difference(z, s.d, s.w * s.h)};
          const std::int64_t v = x + s.w * (y + s.h * z);
          Mat3 jacobian = kIdentity3;
          for (int row = 0; row < s.dims; ++row)
            for (int axis = 0; axis < s.dims; ++axis) {
              const T* field = u + (n * s.dims + row) * voxels + v;
              jacobian[row][axis] +=
                  along[axis].factor * (field[along[axis].high] - field[along[axis].low]);
            }
          use(n, v, along, jacobian);
        }
}

Mat3 cofactors(const Mat3& m) {
  Mat3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int r0 = (i + 1) % 3, r1 = (i + 2) % 3, c0 = (j + 1) % 3, c1 = (j + 2) % 3;
      c[i][j] = m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0];
    }
  return c;
}

}  // namespace

template <class T>
void jacobian_determinant(const T* u, T* det, const Shape& s) {
  for_each_jacobian(u, s, [&](auto n, auto v, const auto&, const Mat3& jacobian) {
    det[n * s.voxels() + v] = static_cast<T>(determinant(jacobian));
  });
}

template <class T>
void jacobian_determinant_backward(const T* u, const T* grad_det, T* grad_u, const Shape& s) {
  std::fill_n(grad_u, s.n * s.dims * s.voxels(), T{0});
  for_each_jacobian(u, s, [&](auto n, auto v, const auto& along, const Mat3& jacobian) {
    const Mat3 cofactor = cofactors(jacobian);
    for (int row = 0; row < s.dims; ++row)
      for (int axis = 0; axis < s.dims; ++axis) {
        const auto g =
            static_cast<T>(grad_det[n * s.voxels() + v] * cofactor[row][axis] * along[axis].factor);
        T* field = grad_u + (n * s.dims + row) * s.voxels() + v;
        field[along[axis].high] += g;
        field[along[axis].low] -= g;
      }
  });
}

template void jacobian_determinant(const float*, float*, const Shape&);
template void jacobian_determinant(const double*, double*, const Shape&);
template void jacobian_determinant_backward(const float*, const float*, float*, const Shape&);
template void jacobian_determinant_backward(const double*, const double*, double*, const Shape&);

}  // namespace aladdin::kernels::reference
