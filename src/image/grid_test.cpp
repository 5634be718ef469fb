#include "aladdin/image/grid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

Grid oblique() {
  Grid grid;
  grid.size = {20, 30, 12};
  grid.spacing = {0.7, 0.365, 2.0};
  grid.origin = {-12.5, 40.0, 3.0};
  const double a = 0.2;
  grid.direction = {{{std::cos(a), -std::sin(a), 0}, {std::sin(a), std::cos(a), 0}, {0, 0, -1}}};
  return grid;
}

TEST(Grid, IndexAndPointAreInverses) {
  const Grid grid = oblique();
  const Vec3 index{3.5, 17.25, 9.0};
  EXPECT_NEAR(norm(grid.to_index(grid.to_point(index)) - index), 0.0, 1e-12);
  EXPECT_EQ(grid.to_point({0, 0, 0}), grid.origin);
}

TEST(Grid, AxisCodesNameTheDirectionOfGrowth) {
  EXPECT_EQ(axis_codes(Grid{}), "LPS");
  EXPECT_EQ(axis_codes(oblique()), "LPI");
  EXPECT_EQ(describe(oblique()), "20 x 30 x 12, 0.7 x 0.365 x 2 mm, axes LPI");
}

TEST(Grid, SameGridToleratesRoundingButNotAHalfVoxel) {
  Grid a = oblique(), b = oblique();
  b.origin[0] += 1e-5;
  EXPECT_TRUE(same_grid(a, b));
  b.origin[0] += 0.35;
  EXPECT_FALSE(same_grid(a, b));
  b = a;
  b.size[0] += 1;
  EXPECT_FALSE(same_grid(a, b));
  b = a;
  b.spacing[1] *= 1.001;  // 0.03 voxels off at the far corner
  EXPECT_FALSE(same_grid(a, b));
}

TEST(Grid, UnusableGeometryIsRefused) {
  Grid grid = oblique();
  grid.spacing[1] = 0;
  EXPECT_THROW(grid.validate(), Error);
  grid = oblique();
  grid.direction[0] = {0, 0, 0};
  EXPECT_THROW(grid.validate(), Error);
  grid = oblique();
  grid.size[2] = 0;
  EXPECT_THROW(grid.validate(), Error);
}

}  // namespace
}  // namespace aladdin
