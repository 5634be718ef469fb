// Grids, images and smooth fields for the tests of this folder.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "aladdin/core/rng.h"
#include "aladdin/image/test_files.h"
#include "aladdin/transform/chain.h"

namespace aladdin::testing {

// Oblique, anisotropic, off-centre; one axis is flipped.
inline Grid oblique_grid(int dims, const Size3& size, double turn = 0.3) {
  Grid grid;
  grid.dims = dims;
  grid.size = size;
  if (dims == 2) {
    grid.size[2] = 1;
    grid.spacing = {0.8, 1.3, 1};
    grid.origin = {-17, 9, 0};
    grid.direction = rotation(2, turn).matrix * diagonal({1, -1, 1});
  } else {
    grid.spacing = {0.7, 1.1, 1.9};
    grid.origin = {-21, 14, -8};
    grid.direction =
        rotation(2, turn).matrix * rotation(0, -0.6 * turn).matrix * diagonal({1, -1, 1});
  }
  return grid;
}

inline Size3 small_size(int dims) { return dims == 2 ? Size3{41, 36, 1} : Size3{31, 26, 19}; }

inline Vec3 index_of(const Grid& grid, std::int64_t v) {
  return {static_cast<double>(v % grid.size[0]),
          static_cast<double>(v / grid.size[0] % grid.size[1]),
          static_cast<double>(v / (grid.size[0] * grid.size[1]))};
}

// A smooth random field: sines of random phase, at most `amplitude_vox` along each index axis and
// about `waves` periods over the grid. It has no folds while amplitude_vox * waves * 2 pi < about
// size.
inline Displacement smooth_field(const Grid& grid, double amplitude_vox, double waves,
                                 std::uint64_t seed) {
  Rng rng(seed);
  Vec3 phase[3], frequency[3];
  for (int c = 0; c < 3; ++c)
    for (int axis = 0; axis < 3; ++axis) {
      phase[c][axis] = rng.uniform(0, 6.28);
      frequency[c][axis] =
          6.28 * waves * rng.uniform(0.5, 1.0) / static_cast<double>(grid.size[axis]);
    }
  Displacement field(grid);
  const Mat3 to_mm = grid.index_to_point();
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const Vec3 index = index_of(grid, v);
    Vec3 u{0, 0, 0};
    for (int c = 0; c < grid.dims; ++c) {
      u[c] = amplitude_vox;
      for (int axis = 0; axis < grid.dims; ++axis)
        u[c] *= std::sin(frequency[c][axis] * index[axis] + phase[c][axis]);
    }
    u = to_mm * u;
    for (int c = 0; c < grid.dims; ++c) field.vectors.component(c)[v] = static_cast<float>(u[c]);
  }
  return field;
}

// Smooth structure plus a little noise, 0 … about 100.
inline Image textured_image(const Grid& grid, std::uint64_t seed) {
  Rng rng(seed);
  Image image(grid);
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const Vec3 x = index_of(grid, v);
    image.values[v] = static_cast<float>(50 + 30 * std::sin(0.4 * x[0]) * std::cos(0.3 * x[1]) +
                                         10 * std::sin(0.5 * x[2]) + rng.uniform(-5, 5));
  }
  return image;
}

// Points spread over the grid, `margin` voxels from its border.
inline std::vector<Vec3> points_inside(const Grid& grid, double margin, int count) {
  Rng rng(17);
  std::vector<Vec3> points;
  for (int p = 0; p < count; ++p) {
    Vec3 index{0, 0, 0};
    for (int axis = 0; axis < grid.dims; ++axis)
      index[axis] = rng.uniform(margin, static_cast<double>(grid.size[axis] - 1) - margin);
    points.push_back(grid.to_point(index));
  }
  return points;
}

}  // namespace aladdin::testing
