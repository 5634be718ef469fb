#include "aladdin/transform/chain.h"

#include <gtest/gtest.h>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/transform/test_fields.h"

namespace aladdin {
namespace {

using namespace testing;

class ChainTest : public ::testing::TestWithParam<int> {
 protected:
  int dims() const { return GetParam(); }
  Grid grid() const { return oblique_grid(dims(), small_size(dims())); }
  Affine affine() const {
    return compose(rotation(2, 0.2, grid().centre(), dims()), translation({1.5, -2.0, 0}, dims()));
  }
};

TEST_P(ChainTest, IsItsTransformsOneAfterTheOther) {
  const Displacement first = smooth_field(grid(), 2, 1, 1);
  const Displacement second = smooth_field(oblique_grid(dims(), small_size(dims()), -0.2), 2, 1, 2);
  const Chain chain{affine(), first, affine(), affine(), second};
  for (const Vec3& point : points_inside(grid(), 4, 50)) {
    Vec3 expected = point;
    for (const auto& transform : chain) expected = map_point({transform}, expected);
    EXPECT_LT(norm(map_point(chain, point) - expected), 1e-10);
  }
}

TEST_P(ChainTest, ADisplacementIsTheIdentityBeyondHalfAVoxel) {
  Displacement shift(grid());
  std::fill(shift.vectors.values.begin(), shift.vectors.values.end(), 3.0F);
  const Grid where = grid();
  const Vec3 just_inside = where.to_point({-0.499, 5, 0}),
             just_outside = where.to_point({-0.501, 5, 0});
  EXPECT_NEAR(map_point({shift}, just_inside)[0], just_inside[0] + 3, 1e-6);
  EXPECT_LT(norm(map_point({shift}, just_outside) - just_outside), 1e-12);
}

TEST_P(ChainTest, ADisplacementBetweenVoxelsIsLinear) {
  const Displacement field = smooth_field(grid(), 2, 1, 5);
  const Vec3 a = grid().to_point({7, 8, 0}), b = grid().to_point({8, 8, 0});
  const Vec3 middle = 0.5 * (a + b);
  const Vec3 expected = 0.5 * (map_point({field}, a) + map_point({field}, b));
  EXPECT_LT(norm(map_point({field}, middle) - expected), 1e-6);
}

TEST_P(ChainTest, ToDisplacementHoldsTheWholeChain) {
  const Chain chain{affine(), smooth_field(grid(), 1.5, 1, 3), affine()};
  const Displacement whole = to_displacement(chain, grid());
  for (std::int64_t v = 0; v < grid().voxels(); v += 37) {
    const Vec3 point = grid().to_point(index_of(grid(), v));
    EXPECT_LT(norm(map_point({whole}, point) - map_point(chain, point)), 1e-5);
  }
  // An affine is linear, so its field is exact between voxels too.
  const Displacement linear = to_displacement({affine()}, grid());
  for (const Vec3& point : points_inside(grid(), 0, 50))
    EXPECT_LT(norm(map_point({linear}, point) - affine()(point)), 1e-5);
}

TEST_P(ChainTest, InverseUndoesTheChain) {
  const Chain chain{affine(), smooth_field(grid(), 1.5, 1, 4), affine()};
  const Chain back = inverse(chain);
  for (const Vec3& point : points_inside(grid(), 7, 200)) {
    EXPECT_LT(norm(map_point(back, map_point(chain, point)) - point), 1e-4);
    EXPECT_LT(norm(map_point(chain, map_point(back, point)) - point), 1e-4);
  }
  const Chain again = inverse(back);
  for (const Vec3& point : points_inside(grid(), 7, 20))
    EXPECT_LT(norm(map_point(again, point) - map_point(chain, point)), 1e-10);
}

TEST_P(ChainTest, SameBitsForOneAndTwoThreads) {
  const Chain chain = inverse(Chain{affine(), smooth_field(grid(), 1.5, 1, 4)});
  const int before = threads();
  set_threads(1);
  const Displacement one = to_displacement(chain, grid());
  set_threads(2);
  EXPECT_EQ(to_displacement(chain, grid()).vectors.values, one.vectors.values);
  set_threads(before);
}

INSTANTIATE_TEST_SUITE_P(Dims, ChainTest, ::testing::Values(2, 3));

TEST(Chain, MixedDimensionsAreRefused) {
  const Grid plane = oblique_grid(2, small_size(2));
  EXPECT_THROW(to_displacement({translation({1, 0, 0}, 3)}, plane), Error);
  EXPECT_THROW(to_displacement({Displacement(oblique_grid(3, small_size(3)))}, plane), Error);
}

TEST(Chain, ASingularAffineHasNoInverse) {
  EXPECT_THROW(inverse(Chain{scaling({1, 0, 1})}), Error);
}

}  // namespace
}  // namespace aladdin
