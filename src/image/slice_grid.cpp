#include <cmath>
#include <mutex>
#include <numbers>
#include <set>

#include "aladdin/core/log.h"
#include "aladdin/image/raw_image.h"

namespace aladdin {
namespace {

// A file is read more than once in a run; its user is told once.
bool is_news(const Path& path) {
  static std::mutex mutex;
  static std::set<Path> told;
  const std::scoped_lock lock(mutex);
  return told.insert(path).second;
}

// The rotation or reflection nearest to the upper left 2 x 2 block (its polar factor).
Mat3 nearest_turn(const Mat3& m, double det) {
  const double s = det < 0 ? -1 : 1;
  const double c = m[0][0] + s * m[1][1], d = m[1][0] - s * m[0][1], length = std::hypot(c, d);
  return {{{c / length, -s * d / length, 0}, {d / length, s * c / length, 0}, {0, 0, 1}}};
}

}  // namespace

Grid slice_grid(const Grid& slice, const Path& path) {
  Grid flat;
  flat.dims = 2;
  for (int axis = 0; axis < 2; ++axis) {
    flat.size[axis] = slice.size[axis];
    flat.spacing[axis] = slice.spacing[axis];
    flat.origin[axis] = slice.origin[axis];
    for (int row = 0; row < 2; ++row) flat.direction[row][axis] = slice.direction[row][axis];
  }
  const Mat3 axes = transpose(slice.direction);
  const double det = determinant(flat.direction);  // the cosine of the tilt
  if (std::hypot(axes[0][2], axes[1][2]) < 1e-2 && std::abs(det) > 1e-6) return flat;
  const bool across = !(std::abs(det) > 0.5);
  const bool news = is_news(path);
  if (news && across) {
    log::warn("'{}' is a slice across the first two world axes; its own axes are used",
              path.string());
  } else if (news) {
    log::warn("'{}' is a slice tilted by {:.1f} degrees; it is placed on the first two world axes",
              path.string(), std::acos(std::min(1.0, std::abs(det))) * 180 / std::numbers::pi);
  }
  flat.direction = across ? kIdentity3 : nearest_turn(flat.direction, det);
  flat.origin = flat.direction * Vec3{dot(axes[0], slice.origin), dot(axes[1], slice.origin), 0};
  return flat;
}

}  // namespace aladdin
