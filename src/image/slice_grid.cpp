#include <cmath>

#include "aladdin/image/raw_image.h"

namespace aladdin {
namespace {

// The rotation or reflection nearest to the upper left 2 x 2 block (its polar factor).
Mat3 nearest_turn(const Mat3& m, double det) {
  const double s = det < 0 ? -1 : 1;
  const double c = m[0][0] + s * m[1][1], d = m[1][0] - s * m[0][1], length = std::hypot(c, d);
  return {{{c / length, -s * d / length, 0}, {d / length, s * c / length, 0}, {0, 0, 1}}};
}

// How a slice lies to the first two world axes.
enum class Lie { flat, tilted, across };

Lie lie_of(const Grid& slice) {
  const Mat3 axes = transpose(slice.direction);
  const double det = slice.direction[0][0] * slice.direction[1][1] -
                     slice.direction[0][1] * slice.direction[1][0];  // the cosine of the tilt
  if (std::hypot(axes[0][2], axes[1][2]) < 1e-2 && std::abs(det) > 1e-6) return Lie::flat;
  return std::abs(det) > 0.5 ? Lie::tilted : Lie::across;
}

}  // namespace

Grid slice_grid(const Grid& slice) {
  Grid flat;
  flat.dims = 2;
  for (int axis = 0; axis < 2; ++axis) {
    flat.size[axis] = slice.size[axis];
    flat.spacing[axis] = slice.spacing[axis];
    flat.origin[axis] = slice.origin[axis];
    for (int row = 0; row < 2; ++row) flat.direction[row][axis] = slice.direction[row][axis];
  }
  const Lie lie = lie_of(slice);
  if (lie == Lie::flat) return flat;
  const Mat3 axes = transpose(slice.direction);
  flat.direction =
      lie == Lie::across ? kIdentity3 : nearest_turn(flat.direction, determinant(flat.direction));
  flat.origin = flat.direction * Vec3{dot(axes[0], slice.origin), dot(axes[1], slice.origin), 0};
  return flat;
}

std::string shape_note(const Grid& grid, int dims) {
  if (dims == 3) {
    for (int axis = 0; axis < 2; ++axis)
      if (grid.size[axis] == 1)
        return fmt::format(
            "it has one voxel along its {} axis and is taken as 3-D; a slice is taken as 2-D where "
            "that is the third axis",
            axis == 0 ? "first" : "second");
    return "";
  }
  switch (lie_of(grid)) {
    case Lie::across:
      return "it is a slice across the first two world axes; its own axes are used";
    case Lie::tilted:
      return "it is a tilted slice; it is placed on the first two world axes";
    default:
      return "";
  }
}

}  // namespace aladdin
