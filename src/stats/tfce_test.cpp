#include "aladdin/stats/tfce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "aladdin/core/rng.h"

namespace aladdin::stats {
namespace {

using Voxels = std::vector<std::int64_t>;

Grid grid_of(const Size3& size, int dims) {
  Grid grid;
  grid.dims = dims;
  grid.size = size;
  return grid;
}

// The definition: at every threshold all clusters anew.
std::vector<double> brute_force(const Grid& grid, const Voxels& voxels,
                                const std::vector<float>& map, const TfceParameters& p) {
  std::map<std::int64_t, std::size_t> number;
  for (std::size_t v = 0; v < voxels.size(); ++v) number[voxels[v]] = v;
  const auto neighbours = [&](std::size_t v) {
    std::vector<std::size_t> found;
    const std::int64_t at = voxels[v], nx = grid.size[0], ny = grid.size[1];
    const std::array<std::int64_t, 3> index{at % nx, at / nx % ny, at / (nx * ny)};
    for (int axis = 0; axis < 3; ++axis)
      for (const int step : {-1, 1}) {
        auto next = index;
        next[axis] += step;
        if (next[axis] < 0 || next[axis] >= grid.size[axis]) continue;
        const auto there = number.find(grid.offset(next[0], next[1], next[2]));
        if (there != number.end()) found.push_back(there->second);
      }
    return found;
  };
  double largest = 0;
  for (const float value : map) largest = std::max(largest, std::abs(double(value)));
  const double dh = largest / p.steps;
  std::vector<double> enhanced(map.size(), 0);
  for (const int sign : {1, -1})
    for (int k = 1; k <= p.steps; ++k) {
      const double h = k * dh * (1 - 1e-9);
      std::vector<bool> seen(map.size());
      for (std::size_t start = 0; start < map.size(); ++start) {
        if (seen[start] || sign * map[start] < h) continue;
        Voxels cluster{static_cast<std::int64_t>(start)};
        seen[start] = true;
        for (std::size_t at = 0; at < cluster.size(); ++at)
          for (const std::size_t next : neighbours(static_cast<std::size_t>(cluster[at])))
            if (!seen[next] && sign * map[next] >= h) {
              seen[next] = true;
              cluster.push_back(static_cast<std::int64_t>(next));
            }
        for (const auto member : cluster)
          enhanced[static_cast<std::size_t>(member)] +=
              sign * std::pow(double(cluster.size()), p.extent_power) *
              std::pow(k * dh, p.height_power) * dh;
      }
    }
  return enhanced;
}

struct Case {
  int dims;
  Size3 size;
  double density;  // share of the voxels that are analysed
};

class TfceOf : public ::testing::TestWithParam<Case> {};

TEST_P(TfceOf, SmoothAndNoisyMapsIsTheDefinition) {
  const auto [dims, size, density] = GetParam();
  const Grid grid = grid_of(size, dims);
  Rng rng(3);
  Voxels voxels;
  for (std::int64_t v = 0; v < grid.voxels(); ++v)
    if (rng.uniform() < density) voxels.push_back(v);
  const Neighbours neighbours(grid, voxels);
  for (const double noise : {0.0, .5, 3.0}) {
    std::vector<float> map, enhanced(voxels.size());
    for (const auto v : voxels)
      map.push_back(static_cast<float>(4 * std::sin(.5 * double(v % size[0])) *
                                           std::cos(.4 * double(v / size[0])) +
                                       noise * rng.normal()));
    for (const TfceParameters& parameters :
         {TfceParameters{}, TfceParameters{1, 1, 50}, TfceParameters{.5, 2, 7}}) {
      Tfce(neighbours, parameters).enhance(map, enhanced);
      const auto expected = brute_force(grid, voxels, map, parameters);
      for (std::size_t v = 0; v < map.size(); ++v)
        ASSERT_NEAR(enhanced[v], expected[v], 1e-5 * std::abs(expected[v])) << v;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, TfceOf,
                         ::testing::Values(Case{2, {23, 17, 1}, 1}, Case{2, {9, 30, 1}, .7},
                                           Case{3, {7, 9, 8}, 1}, Case{3, {11, 6, 5}, .6},
                                           Case{3, {1, 1, 40}, 1}));

// One cluster of n voxels of height 1: n^E times the sum of h² dh.
TEST(Tfce, ABoxHasTheClosedForm) {
  const Grid grid = grid_of({6, 6, 6}, 3);
  Voxels voxels(216);
  for (std::size_t v = 0; v < voxels.size(); ++v) voxels[v] = static_cast<std::int64_t>(v);
  std::vector<float> map(216, 0), enhanced(216);
  for (int k = 0; k < 3; ++k)
    for (int j = 1; j < 4; ++j)
      for (int i = 2; i < 5; ++i) map[static_cast<std::size_t>(grid.offset(i, j, k))] = 1;
  const Neighbours neighbours(grid, voxels);
  Tfce(neighbours, {}).enhance(map, enhanced);
  const double heights = 100 * 101 * 201 / 6.0 * 1e-6;
  for (std::size_t v = 0; v < map.size(); ++v)
    EXPECT_NEAR(enhanced[v], map[v] * std::sqrt(27.0) * heights, 1e-6);
}

TEST(Tfce, ItIsOddAndNothingInNothingOut) {
  const Grid grid = grid_of({8, 8, 1}, 2);
  Voxels voxels(64);
  for (std::size_t v = 0; v < voxels.size(); ++v) voxels[v] = static_cast<std::int64_t>(v);
  Rng rng(1);
  std::vector<float> map(64), other(64), one(64), two(64);
  for (std::size_t v = 0; v < 64; ++v) other[v] = -(map[v] = static_cast<float>(rng.normal()));
  const Neighbours neighbours(grid, voxels);
  Tfce tfce(neighbours, {});
  tfce.enhance(map, one);
  tfce.enhance(other, two);
  for (std::size_t v = 0; v < 64; ++v) EXPECT_EQ(one[v], -two[v]);
  tfce.enhance(std::vector<float>(64, 0), one);
  EXPECT_EQ(*std::max_element(one.begin(), one.end()), 0);
}

TEST(Neighbours, ShareAFaceAndAreAnalysed) {
  const Grid grid = grid_of({3, 3, 1}, 2);
  const Neighbours neighbours(grid, {0, 1, 3, 4, 5});  // the corner, right of it, …
  const auto of = [&](std::int64_t v) {
    std::vector<std::int32_t> found;
    for (const auto other : neighbours.of(v))
      if (other >= 0) found.push_back(other);
    std::sort(found.begin(), found.end());
    return found;
  };
  EXPECT_EQ(of(0), (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(of(3), (std::vector<std::int32_t>{1, 2, 4}));
  EXPECT_EQ(of(4), (std::vector<std::int32_t>{3})) << "the end of a line has none in the next";
}

}  // namespace
}  // namespace aladdin::stats
