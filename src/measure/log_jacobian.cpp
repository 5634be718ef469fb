#include "aladdin/measure/log_jacobian.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/transform/jacobian.h"

namespace aladdin::measure {
namespace {

Vec3 index_of(const Grid& grid, std::int64_t v) {
  const std::int64_t row = v / grid.size[0];
  return {static_cast<double>(v % grid.size[0]), static_cast<double>(row % grid.size[1]),
          static_cast<double>(row / grid.size[1])};
}

Vec3 vector_at(const Displacement& field, std::int64_t v) {
  Vec3 u{0, 0, 0};
  for (int c = 0; c < field.grid().dims; ++c) u[c] = field.vectors.component(c)[v];
  return u;
}

void add_product(Mat3& sum, const Vec3& a, const Vec3& b) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) sum[r][c] += a[r] * b[c];
}

}  // namespace

Image log_jacobian(const Displacement& native_to_atlas, std::int64_t* folds) {
  Image image = jacobian_determinant(native_to_atlas);
  std::int64_t count = 0;
  for (float& value : image.values) {
    const bool folded = !(value > 0);
    count += folded;
    value = static_cast<float>(
        std::log(folded ? kSmallestDeterminant : std::max(double(value), kSmallestDeterminant)));
  }
  if (folds) *folds = count;
  return image;
}

Image log_jacobian(const Chain& native_to_atlas, const Grid& atlas, std::int64_t* folds) {
  return log_jacobian(to_displacement(native_to_atlas, atlas), folds);
}

// With x' and u' about their means, the fit of u ~ M x + b is M = (sum u' x'^T) (sum x' x'^T)^-1, and
// A = I + M. x is taken in voxels, where the moments of any mask are of about one size.
double affine_log_jacobian(const Displacement& native_to_atlas,
                           const std::vector<std::uint8_t>& mask) {
  const Grid& grid = native_to_atlas.grid();
  Vec3 mean_index{0, 0, 0}, mean_vector{0, 0, 0};
  double count = 0;
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    if (!mask[v]) continue;
    mean_index = mean_index + index_of(grid, v);
    mean_vector = mean_vector + vector_at(native_to_atlas, v);
    ++count;
  }
  if (count > 0) {
    mean_index = (1 / count) * mean_index;
    mean_vector = (1 / count) * mean_vector;
  }
  Mat3 moments{}, products{};
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    if (!mask[v]) continue;
    const Vec3 index = index_of(grid, v) - mean_index;
    add_product(moments, index, index);
    add_product(products, vector_at(native_to_atlas, v) - mean_vector, index);
  }
  if (grid.dims == 2) moments[2][2] = 1;  // the third axis is left alone
  const double volume = determinant(moments);
  if (!(volume > 1e-9 * moments[0][0] * moments[1][1] * moments[2][2]))
    fail("the size of the whole cannot be found: the {:.0f} voxels of the mask lie {}", count,
         grid.dims == 2 ? "on a line" : "in a plane");
  Mat3 matrix = products * inverse(moments) * grid.point_to_index();
  for (int axis = 0; axis < 3; ++axis) matrix[axis][axis] += 1;
  return std::log(std::max(std::abs(determinant(matrix)), kSmallestDeterminant));
}

double affine_log_jacobian(const Chain& native_to_atlas, const Grid& atlas,
                           const std::vector<std::uint8_t>& mask) {
  return affine_log_jacobian(to_displacement(native_to_atlas, atlas), mask);
}

}  // namespace aladdin::measure
