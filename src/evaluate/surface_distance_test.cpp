#include "aladdin/evaluate/surface_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "aladdin/core/rng.h"

namespace aladdin::evaluate {
namespace {

using Map = std::vector<LabelIndex>;

Grid grid_of(int dims, const Size3& size, const Vec3& spacing) {
  Grid grid;
  grid.dims = dims;
  grid.size = size;
  grid.spacing = spacing;
  return grid;
}

auto distances_of(const Map& a, const Map& b, const Grid& grid, int labels) {
  return surface_distances(a.data(), b.data(), grid, labels);
}

// A voxel against a pair of voxels, by hand: 0 and 3 mm one way, 0 the other.
TEST(SurfaceDistance, OfAFewVoxelsByHand) {
  const Grid grid = grid_of(2, {5, 1, 1}, {1.5, 9, 1});
  const auto d = *distances_of({0, 1, 0, 1, 0}, {0, 1, 0, 0, 0}, grid, 2)[1];
  EXPECT_DOUBLE_EQ(d.average_mm, 3 / 3.0);
  EXPECT_DOUBLE_EQ(d.hd_mm, 3);
  EXPECT_DOUBLE_EQ(d.hd95_mm, 0.95 * 3);
}

TEST(SurfaceDistance, OfEqualMapsIsZeroAndOfAbsentStructuresNone) {
  const Grid grid = grid_of(3, {3, 2, 2}, {1, 1, 1});
  const Map a{0, 1, 1, 0, 1, 1, 2, 2, 0, 0, 0, 0}, b{0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0};
  const auto d = distances_of(a, b, grid, 4);
  EXPECT_EQ(d[1]->hd_mm, 0);
  EXPECT_FALSE(d[0]);
  EXPECT_FALSE(d[2]);
  EXPECT_FALSE(d[3]);
}

// A shifted block: the face that moved is off by the shift, in that axis's millimetres.
TEST(SurfaceDistance, OfAShiftedBlockIsTheShift) {
  const Grid grid = grid_of(3, {20, 12, 11}, {0.5, 2, 3});
  for (int axis = 0; axis < 3; ++axis) {
    Map a(grid.voxels(), 0), b(a);
    for (std::int64_t k = 3; k < 7; ++k)
      for (std::int64_t j = 3; j < 7; ++j)
        for (std::int64_t i = 3; i < 7; ++i) {
          a[grid.offset(i, j, k)] = 1;
          b[grid.offset(i + 2 * (axis == 0), j + 2 * (axis == 1), k + 2 * (axis == 2))] = 1;
        }
    const auto d = *distances_of(a, b, grid, 2)[1];
    EXPECT_NEAR(d.hd_mm, 2 * grid.spacing[axis], 1e-12);
    EXPECT_GT(d.average_mm, 0);
    EXPECT_LT(d.average_mm, d.hd_mm);
  }
}

bool on_surface(const Map& map, const Grid& grid, std::int64_t v, LabelIndex label) {
  if (map[v] != label) return false;
  const Size3 at{v % grid.size[0], v / grid.size[0] % grid.size[1],
                 v / (grid.size[0] * grid.size[1])};
  for (int axis = 0; axis < grid.dims; ++axis)
    for (const int step : {-1, 1}) {
      Size3 to = at;
      to[axis] += step;
      if (to[axis] < 0 || to[axis] >= grid.size[axis]) return true;
      if (map[grid.offset(to[0], to[1], to[2])] != label) return true;
    }
  return false;
}

std::vector<double> brute_force(const Map& a, const Map& b, const Grid& grid, LabelIndex label) {
  std::vector<double> all;
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    if (!on_surface(a, grid, v, label)) continue;
    double best = 1e9;
    for (std::int64_t w = 0; w < grid.voxels(); ++w) {
      if (!on_surface(b, grid, w, label)) continue;
      double sum = 0;
      const Size3 s = grid.size;
      const double step[3] = {double(v % s[0] - w % s[0]),
                              double(v / s[0] % s[1] - w / s[0] % s[1]),
                              double(v / (s[0] * s[1]) - w / (s[0] * s[1]))};
      for (int axis = 0; axis < 3; ++axis) sum += std::pow(step[axis] * grid.spacing[axis], 2);
      best = std::min(best, std::sqrt(sum));
    }
    all.push_back(best);
  }
  return all;
}

TEST(SurfaceDistance, AgreesWithBruteForceOnScatteredLabels) {
  for (const int dims : {2, 3}) {
    const Grid grid =
        grid_of(dims, dims == 3 ? Size3{11, 9, 7} : Size3{23, 19, 1}, {0.7, 1.9, 1.1});
    Rng rng(dims);
    Map a(grid.voxels()), b(a);
    for (auto* map : {&a, &b})
      for (auto& label : *map) label = rng.uniform() < 0.06 ? LabelIndex(1 + rng.below(2)) : 0;
    for (const LabelIndex label : {1, 2}) {
      const auto d = *distances_of(a, b, grid, 3)[label];
      const auto ab = brute_force(a, b, grid, label), ba = brute_force(b, a, grid, label);
      double sum = 0, most = 0;
      for (const auto* part : {&ab, &ba})
        for (const double x : *part) {
          sum += x;
          most = std::max(most, x);
        }
      EXPECT_NEAR(d.average_mm, sum / double(ab.size() + ba.size()), 1e-9);
      EXPECT_NEAR(d.hd_mm, most, 1e-9);
      EXPECT_LE(d.hd95_mm, d.hd_mm);
      EXPECT_GE(d.hd95_mm, d.average_mm);
    }
  }
}

}  // namespace
}  // namespace aladdin::evaluate
