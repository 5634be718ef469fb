#include "aladdin/measure/smooth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/transform/test_fields.h"

namespace aladdin::measure {
namespace {

using ::testing::HasSubstr;
using Mask = std::vector<std::uint8_t>;

Grid grid_of(Size3 size, Vec3 spacing, int dims = 3) {
  Grid grid;
  grid.dims = dims;
  grid.size = size;
  grid.spacing = spacing;
  return grid;
}

Mask random_mask(const Grid& grid) {
  Rng rng(8);
  Mask mask(static_cast<std::size_t>(grid.voxels()));
  for (auto& voxel : mask) voxel = rng.uniform() < .7;
  return mask;
}

TEST(Smooth, AConstantStaysUpToTheEdgeAndTheOutsideIs0) {
  for (const int dims : {2, 3}) {
    const Grid grid = grid_of(dims == 2 ? Size3{20, 17, 1} : Size3{12, 9, 10}, {1, 2, 3}, dims);
    Image image(grid, 2.5F);
    const Mask mask = random_mask(grid);
    smooth(image, mask, 5);
    for (std::size_t v = 0; v < mask.size(); ++v)
      EXPECT_NEAR(image.values[v], mask[v] ? 2.5 : 0, 1e-6);
  }
}

TEST(Smooth, APointBecomesAGaussianOfThatWidthInMm) {
  const Grid grid = grid_of({61, 61, 1}, {1, .5, 1}, 2);
  Image image(grid);
  image.at(30, 30, 0) = 1;
  smooth(image, Mask(61 * 61, 1), 6);
  const float peak = image.at(30, 30, 0);
  EXPECT_NEAR(image.at(33, 30, 0) / peak, .5, 1e-3) << "half the maximum at half the width";
  EXPECT_NEAR(image.at(30, 36, 0) / peak, .5, 1e-3) << "3 mm along the finer axis too";
  EXPECT_NEAR(image.at(33, 36, 0) / peak, .25, 1e-3);
}

TEST(Smooth, NothingFromOutsideTheMaskLeaksIn) {
  const Grid grid = grid_of({15, 14, 6}, {1, 1, 2});
  const Mask mask = random_mask(grid);
  Image one = testing::textured_image(grid, 2), other = one;
  for (std::size_t v = 0; v < mask.size(); ++v)
    if (!mask[v]) other.values[v] = NAN;
  smooth(one, mask, 4);
  smooth(other, mask, 4);
  EXPECT_EQ(one.values, other.values);
}

TEST(Smooth, AWidthOf0OnlyClearsTheOutside) {
  const Grid grid = grid_of({7, 6, 5}, {1, 1, 1});
  const Mask mask = random_mask(grid);
  const Image before = testing::textured_image(grid, 2);
  Image image = before;
  smooth(image, mask, 0);
  for (std::size_t v = 0; v < mask.size(); ++v)
    EXPECT_EQ(image.values[v], mask[v] ? before.values[v] : 0);
}

TEST(Smooth, AWidthBelow0OrNoNumberIsRefused) {
  Image image(grid_of({3, 3, 3}, {1, 1, 1}));
  for (const double width : {-1.0, double(NAN), double(INFINITY)})
    EXPECT_THAT(testing::error_of([&] { smooth(image, Mask(27, 1), width); }),
                HasSubstr("expected 0 or more"));
}

}  // namespace
}  // namespace aladdin::measure
