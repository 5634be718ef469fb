#include "aladdin/transform/jacobian.h"

#include <gtest/gtest.h>

#include "aladdin/transform/test_fields.h"

namespace aladdin {
namespace {

using namespace testing;

TEST(Jacobian, OfAnAffineIsItsDeterminantOnAnyGrid) {
  for (const int dims : {2, 3}) {
    const Grid grid = oblique_grid(dims, small_size(dims));
    const Affine affine = compose(rotation(2, 0.5, grid.centre(), dims),
                                  scaling({1.5, 0.8, dims == 2 ? 1.0 : 1.2}, grid.centre(), dims));
    const double expected = determinant(affine.matrix);
    const auto summary = summarise_jacobian(to_displacement({affine}, grid));
    EXPECT_NEAR(summary.min, expected, 1e-4);
    EXPECT_NEAR(summary.max, expected, 1e-4);
    EXPECT_NEAR(summary.mean, expected, 1e-4);
    EXPECT_NEAR(summary.log_sd, 0, 1e-4);
    EXPECT_EQ(summary.folds, 0);
  }
}

TEST(Jacobian, AReflectionFoldsEveryVoxel) {
  const Grid grid = oblique_grid(3, {9, 8, 7});
  const auto summary =
      summarise_jacobian(to_displacement({scaling({-1, 1, 1}, grid.centre())}, grid));
  EXPECT_EQ(summary.folds, grid.voxels());
  EXPECT_NEAR(summary.max, -1, 1e-4);
}

}  // namespace
}  // namespace aladdin
