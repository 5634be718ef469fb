#include "aladdin/image/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"

namespace aladdin {

Vec3 Grid::centre() const {
  return to_point({0.5 * static_cast<double>(size[0] - 1), 0.5 * static_cast<double>(size[1] - 1),
                   0.5 * static_cast<double>(size[2] - 1)});
}

Vec3 Grid::extent_mm() const {
  return {spacing[0] * static_cast<double>(size[0]), spacing[1] * static_cast<double>(size[1]),
          spacing[2] * static_cast<double>(size[2])};
}

void Grid::validate() const {
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] < 1) fail("axis {} has {} voxels, expected at least 1", axis, size[axis]);
    if (!(spacing[axis] > 0) || !std::isfinite(spacing[axis]))
      fail("axis {} has a spacing of {} mm, expected a positive number", axis, spacing[axis]);
    if (!std::isfinite(origin[axis])) fail("the origin is not finite along axis {}", axis);
    for (int row = 0; row < 3; ++row)
      if (!std::isfinite(direction[row][axis]))
        fail("the direction of axis {} is not finite", axis);
  }
  if (std::abs(determinant(direction)) < 1e-6)
    fail("its axes are not independent (determinant of the direction matrix {:.3g})",
         determinant(direction));
}

bool is_sheared(const Grid& grid) {
  constexpr double kRounding = 1e-3;
  const Mat3 axes = transpose(grid.direction);
  return std::abs(dot(axes[0], axes[1])) > kRounding ||
         std::abs(dot(axes[0], axes[2])) > kRounding || std::abs(dot(axes[1], axes[2])) > kRounding;
}

bool same_grid(const Grid& a, const Grid& b, double tolerance) {
  if (a.dims != b.dims || a.size != b.size) return false;
  const Mat3 to_b = b.point_to_index();
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 index;
    for (int axis = 0; axis < 3; ++axis)
      index[axis] = (corner >> axis & 1) ? static_cast<double>(a.size[axis] - 1) : 0.0;
    const Vec3 other = to_b * (a.to_point(index) - b.origin);
    if (norm(other - index) > tolerance) return false;
  }
  return true;
}

std::string axis_codes(const Grid& grid) {
  constexpr const char* kPositive = "LPS";
  constexpr const char* kNegative = "RAI";
  std::string codes;
  for (int axis = 0; axis < grid.dims; ++axis) {
    int largest = 0;
    for (int row = 1; row < 3; ++row)
      if (std::abs(grid.direction[row][axis]) > std::abs(grid.direction[largest][axis]))
        largest = row;
    codes += (grid.direction[largest][axis] > 0 ? kPositive : kNegative)[largest];
  }
  return codes;
}

std::string format_size(const Grid& grid) {
  return grid.dims == 2 ? fmt::format("{} x {}", grid.size[0], grid.size[1])
                        : fmt::format("{} x {} x {}", grid.size[0], grid.size[1], grid.size[2]);
}

std::string describe(const Grid& grid) {
  const auto spacing = grid.dims == 2
                           ? fmt::format("{:.4g} x {:.4g}", grid.spacing[0], grid.spacing[1])
                           : fmt::format("{:.4g} x {:.4g} x {:.4g}", grid.spacing[0],
                                         grid.spacing[1], grid.spacing[2]);
  return fmt::format("{}, {} mm, axes {}", format_size(grid), spacing, axis_codes(grid));
}

}  // namespace aladdin
