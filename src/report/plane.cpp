#include "aladdin/report/plane.h"

#include <algorithm>
#include <cmath>

namespace aladdin::report {
namespace {

int pixels(const WorldBox& box, int axis, double pixel_mm) {
  return std::max(1, static_cast<int>(std::lround((box.high[axis] - box.low[axis]) / pixel_mm)));
}

}  // namespace

WorldBox world_box(const Grid& grid) {
  WorldBox box;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 index{};
    for (int axis = 0; axis < grid.dims; ++axis)
      index[axis] = corner >> axis & 1 ? static_cast<double>(grid.size[axis]) - 0.5 : -0.5;
    const Vec3 point = grid.to_point(index);
    for (int axis = 0; axis < 3; ++axis) {
      box.low[axis] = std::min(box.low[axis], point[axis]);
      box.high[axis] = std::max(box.high[axis], point[axis]);
    }
  }
  return box;
}

std::vector<Plane> planes_for(int dims, bool neurological) {
  if (dims == 2) return {{0, 1, false, false, "", "", "slice"}};
  const char* left = neurological ? "L" : "R";
  const char* right = neurological ? "R" : "L";
  return {{1, 2, false, true, "A", "P", "sagittal"},
          {0, 2, neurological, true, left, right, "coronal"},
          {0, 1, neurological, false, left, right, "axial"}};
}

int PlaneView::width() const { return pixels(box, plane.right, pixel_mm); }
int PlaneView::height() const { return pixels(box, plane.down, pixel_mm); }

Vec3 PlaneView::point_at(double x, double y) const {
  Vec3 point = through;
  const double right = x * pixel_mm, down = y * pixel_mm;
  point[plane.right] =
      plane.flip_right ? box.high[plane.right] - right : box.low[plane.right] + right;
  point[plane.down] = plane.flip_down ? box.high[plane.down] - down : box.low[plane.down] + down;
  return point;
}

std::array<double, 2> PlaneView::pixel_of(const Vec3& point) const {
  const auto along = [&](int axis, bool flip) {
    return (flip ? box.high[axis] - point[axis] : point[axis] - box.low[axis]) / pixel_mm;
  };
  return {along(plane.right, plane.flip_right), along(plane.down, plane.flip_down)};
}

}  // namespace aladdin::report
