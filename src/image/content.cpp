#include "aladdin/image/content.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

template <class T, class Keep>
std::optional<Box> bounding_box(const Volume<T>& volume, Keep&& keep) {
  const auto& size = volume.grid.size;
  Box box{size, {-1, -1, -1}};
  std::size_t v = 0;
  for (std::int64_t k = 0; k < size[2]; ++k)
    for (std::int64_t j = 0; j < size[1]; ++j)
      for (std::int64_t i = 0; i < size[0]; ++i, ++v) {
        if (!keep(volume.values[v])) continue;
        const Size3 index{i, j, k};
        for (int axis = 0; axis < 3; ++axis) {
          box.first[axis] = std::min(box.first[axis], index[axis]);
          box.last[axis] = std::max(box.last[axis], index[axis]);
        }
      }
  if (box.last[0] < 0) return std::nullopt;
  return box;
}

Box field_of_view(const Grid& grid) {
  return {{0, 0, 0}, {grid.size[0] - 1, grid.size[1] - 1, grid.size[2] - 1}};
}

// The value that more than half of the outer faces hold.
std::optional<float> background_of(const Image& image) {
  const auto& size = image.grid.size;
  std::vector<float> faces;
  for (std::int64_t k = 0; k < size[2]; ++k)
    for (std::int64_t j = 0; j < size[1]; ++j) {
      const bool whole_row =
          j == 0 || j == size[1] - 1 || (image.grid.dims == 3 && (k == 0 || k == size[2] - 1));
      for (std::int64_t i = 0; i < size[0];
           i += whole_row ? 1 : std::max<std::int64_t>(1, size[0] - 1))
        faces.push_back(image.at(i, j, k));
    }
  // A value that fills more than half of a list is its median.
  const auto middle = faces.begin() + static_cast<std::ptrdiff_t>(faces.size() / 2);
  std::nth_element(faces.begin(), middle, faces.end());
  const float value = *middle;
  const auto times = std::count(faces.begin(), faces.end(), value);
  if (2 * times <= static_cast<std::ptrdiff_t>(faces.size())) return std::nullopt;
  return value;
}

}  // namespace

Extent extent_of(const Grid& grid, const Box& box) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Extent out{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 index;
    for (int axis = 0; axis < 3; ++axis)
      index[axis] = (corner >> axis & 1) ? static_cast<double>(box.last[axis]) + 0.5
                                         : static_cast<double>(box.first[axis]) - 0.5;
    const Vec3 point = grid.to_point(index);
    for (int axis = 0; axis < 3; ++axis) {
      out.low[axis] = std::min(out.low[axis], point[axis]);
      out.high[axis] = std::max(out.high[axis], point[axis]);
    }
  }
  return out;
}

Box find_content(const Image& image, const Labels* mask, const std::string& name) {
  if (mask) {
    const auto box = bounding_box(*mask, [](std::int32_t value) { return value != 0; });
    if (!box) fail("the mask of '{}' is empty, expected some voxels that are not 0", name);
    return *box;
  }
  if (const auto background = background_of(image))
    if (const auto box = bounding_box(image, [&](float value) { return value != *background; }))
      return *box;
  return field_of_view(image.grid);
}

}  // namespace aladdin
