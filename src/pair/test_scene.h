// A scene for the tests of this folder: blobs in the world, which any grid may look at.
#pragma once

#include <cmath>

#include "aladdin/image/image.h"
#include "aladdin/transform/chain.h"

namespace aladdin::testing {

// In [0, 1]; without a symmetry that a map could hide in. In 2-D the plane z = 0.
inline double scene_at(const Vec3& p) {
  const auto blob = [&](const Vec3& at, double s) {
    const Vec3 d = p - at;
    return std::exp(-dot(d, d) / (2 * s * s));
  };
  const Vec3 wide{p[0] / 22, p[1] / 16, p[2] / 12};
  const double waves = std::sin(p[0] / 3.1) * std::sin(p[1] / 3.4 + 1) * std::cos(p[2] / 2.9);
  return (0.5 + 0.2 * waves) * std::exp(-dot(wide, wide)) + 0.5 * blob({11, 5, -6}, 4) +
         0.4 * blob({-12, 7, 5}, 5) - 0.35 * blob({3, -9, 2}, 4) + 0.3 * blob({-4, 0, 9}, 3);
}

// What `grid` shows of the scene moved by the map: value(x) = scene(map(x)).
inline Image view(const Grid& grid, const Chain& map = {}) {
  Image image(grid);
  std::vector<Vec3> points;
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i)
        points.push_back(grid.to_point({double(i), double(j), double(k)}));
  map_points(map, points);
  for (std::size_t v = 0; v < points.size(); ++v)
    image.values[v] = static_cast<float>(scene_at(points[v]));
  return image;
}

// 80 mm wide, around the scene.
inline Grid around_scene(int dims, double spacing = 2) {
  Grid grid;
  grid.dims = dims;
  const auto n = static_cast<std::int64_t>(80 / spacing);
  grid.size = {n, n, dims == 3 ? n : 1};
  grid.spacing = {spacing, spacing, dims == 3 ? spacing : 1};
  const double first = -0.5 * spacing * double(n - 1);
  grid.origin = {first, first, dims == 3 ? first : 0};
  return grid;
}

// Of the motion between two rigid maps: the angle in degrees.
inline double turn_between(const Affine& a, const Affine& b) {
  const Mat3 r = transpose(a.matrix) * b.matrix;
  const Vec3 axis{r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};
  const double trace = r[0][0] + r[1][1] + r[2][2];
  return std::atan2(norm(axis), trace - 1) * 180 / 3.14159265358979;
}

}  // namespace aladdin::testing
