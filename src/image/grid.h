// Grid: where the voxels of an image are in the world.
//
//   point = origin + direction * diag(spacing) * index        (mm, LPS as in ITK)
//
// The columns of `direction` are the unit vectors of the axes, at right angles but for images that are only resampled from
// (is_sheared: a scanner's gantry tilt, a registration in the sform); index 0 runs fastest in memory, so a
// Torch tensor of the same data has the shape (size[2], size[1], size[0]). A 2-D grid has dims = 2,
// size[2] = 1 and the third axis left at its default, so that all geometry is written once, in 3-D.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "aladdin/core/linear.h"

namespace aladdin {

using Size3 = std::array<std::int64_t, 3>;

struct Grid {
  int dims = 3;
  Size3 size{1, 1, 1};
  Vec3 spacing{1, 1, 1};
  Vec3 origin{0, 0, 0};
  Mat3 direction = kIdentity3;

  std::int64_t voxels() const { return size[0] * size[1] * size[2]; }
  std::int64_t offset(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return i + size[0] * (j + size[1] * k);
  }
  Mat3 index_to_point() const { return direction * diagonal(spacing); }
  Mat3 point_to_index() const { return inverse(index_to_point()); }
  Vec3 to_point(const Vec3& index) const { return origin + index_to_point() * index; }
  Vec3 to_index(const Vec3& point) const { return point_to_index() * (point - origin); }
  // The middle of the field of view.
  Vec3 centre() const;
  Vec3 extent_mm() const;

  // Throws on a size below 1, a spacing that is not positive and finite, a singular direction.
  void validate() const;
};

// Whether two axes are off a right angle by more than the rounding of headers, a cosine of 1e-3.
bool is_sheared(const Grid& grid);

// Same size; origin and axes that bring the corner voxels within `tolerance` of a voxel together.
bool same_grid(const Grid& a, const Grid& b, double tolerance = 1e-3);

// "80 x 192 x 192, 0.7 x 0.365 x 0.365 mm, axes RAS"
std::string describe(const Grid& grid);
// The nearest axis codes, e.g. "LPS": the direction towards which each index grows.
std::string axis_codes(const Grid& grid);
std::string format_size(const Grid& grid);

}  // namespace aladdin
