#include "aladdin/transform/inverse.h"

#include <gtest/gtest.h>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/transform/chain.h"
#include "aladdin/transform/test_fields.h"

namespace aladdin {
namespace {

using namespace testing;

struct Case {
  int dims;
  InverseMethod method;
};

class InverseTest : public ::testing::TestWithParam<Case> {
 protected:
  Grid grid() const { return oblique_grid(GetParam().dims, small_size(GetParam().dims)); }
};

TEST_P(InverseTest, RoundTripIsBelowATwentiethOfAVoxel) {
  const Displacement phi = smooth_field(grid(), 1.3, 1, 11);
  const Inverse inverse = invert(phi, grid(), GetParam().method);
  EXPECT_EQ(inverse.unsolved, 0);
  EXPECT_GT(inverse.covered, 0.85);
  EXPECT_GT(inverse.max_residual_mm, 0);
  // Between voxels and in the other order as well, inside.
  const auto error_vox = [&](const Chain& chain, const Vec3& point) {
    return norm(grid().to_index(map_point(chain, point)) - grid().to_index(point));
  };
  for (const Vec3& point : points_inside(grid(), 4, 300)) {
    EXPECT_LT(error_vox({phi, inverse.displacement}, point), 0.05);
    EXPECT_LT(error_vox({inverse.displacement, phi}, point), 0.05);
  }
}

TEST_P(InverseTest, AnotherGridForTheTarget) {
  const Displacement phi = smooth_field(grid(), 1.5, 1, 12);
  Grid target = oblique_grid(GetParam().dims, small_size(GetParam().dims), -0.1);
  target.origin = target.origin + Vec3{2, -1, 0};
  const Inverse inverse = invert(phi, target, GetParam().method);
  EXPECT_EQ(inverse.unsolved, 0);
  EXPECT_GT(inverse.covered, 0.3);
}

INSTANTIATE_TEST_SUITE_P(Methods, InverseTest,
                         ::testing::Values(Case{2, InverseMethod::fixed_point},
                                           Case{3, InverseMethod::fixed_point},
                                           Case{2, InverseMethod::symmetric},
                                           Case{3, InverseMethod::symmetric}));

TEST(Inverse, ConvergesWherePlainIterationDiverges) {
  // Scaling by 3: du/dx = 2, so x <- y - u(x) doubles its error at every step.
  const Grid grid = oblique_grid(3, {25, 25, 25});
  const Displacement triple = to_displacement({scaling({3, 3, 3}, grid.centre())}, grid);
  const Inverse inverse = invert(triple, grid);
  EXPECT_EQ(inverse.unsolved, 0);
  EXPECT_EQ(inverse.covered, 1.0);
  EXPECT_LT(inverse.max_residual_mm, 1e-4);
  for (const Vec3& point : points_inside(grid, 0, 50))
    EXPECT_LT(norm(map_point({inverse.displacement}, point) -
                   (grid.centre() + (1.0 / 3) * (point - grid.centre()))),
              1e-4);
}

TEST(Inverse, AShiftIsInvertedUpToTheBorder) {
  const Grid grid = oblique_grid(2, {20, 20, 1});
  const Displacement shift = to_displacement({translation({5, -3, 0}, 2)}, grid);
  const Inverse inverse = invert(shift, grid);
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    EXPECT_NEAR(inverse.displacement.vectors.component(0)[v], -5, 1e-4);
    EXPECT_NEAR(inverse.displacement.vectors.component(1)[v], 3, 1e-4);
  }
}

TEST(Inverse, AFoldedFieldIsReported) {
  const Grid grid = oblique_grid(3, {21, 21, 21});
  Displacement folded = smooth_field(grid, 6, 3, 2);
  ::testing::internal::CaptureStderr();
  const Inverse inverse = invert(folded, grid);
  const std::string talk = ::testing::internal::GetCapturedStderr();
  EXPECT_GT(inverse.unsolved, 0);
  EXPECT_NE(talk.find("does the field fold?"), std::string::npos) << talk;
}

TEST(Inverse, TheSymmetricObjectiveIsLowered) {
  const Grid grid = oblique_grid(3, {24, 20, 22});
  const Displacement phi = smooth_field(grid, 1.5, 1, 15);
  const auto objective = [&](const Displacement& back) {
    double sum = 0;
    for (std::int64_t v = 0; v < grid.voxels(); ++v) {
      const Vec3 index = index_of(grid, v), point = grid.to_point(index);
      bool inner = true;
      for (int axis = 0; axis < 3; ++axis)
        inner = inner && index[axis] > 3 && index[axis] < static_cast<double>(grid.size[axis]) - 4;
      if (!inner) continue;
      const Vec3 there = map_point({back, phi}, point) - point,
                 here = map_point({phi, back}, point) - point;
      sum += dot(there, there) + dot(here, here);
    }
    return sum;
  };
  const double fixed = objective(invert(phi, grid, InverseMethod::fixed_point).displacement);
  const double symmetric = objective(invert(phi, grid, InverseMethod::symmetric).displacement);
  EXPECT_LT(symmetric, 0.8 * fixed);
}

TEST(Inverse, IsTheUnsampledInverseOnTheGrid) {
  const Grid grid = oblique_grid(3, small_size(3));
  const Displacement phi = smooth_field(grid, 1.5, 1, 13);
  const Displacement sampled = to_displacement({InverseDisplacement{phi}}, grid);
  const Inverse inverse = invert(phi, grid);
  for (std::size_t v = 0; v < sampled.vectors.values.size(); ++v)
    ASSERT_NEAR(sampled.vectors.values[v], inverse.displacement.vectors.values[v], 1e-4);
}

TEST(Inverse, SameBitsForOneAndTwoThreads) {
  const Grid grid = oblique_grid(3, {20, 18, 17});
  const Displacement phi = smooth_field(grid, 1.5, 1, 14);
  const int before = threads();
  for (const auto method : {InverseMethod::fixed_point, InverseMethod::symmetric}) {
    set_threads(1);
    const Inverse one = invert(phi, grid, method);
    set_threads(2);
    EXPECT_EQ(invert(phi, grid, method).displacement.vectors.values,
              one.displacement.vectors.values);
  }
  set_threads(before);
}

TEST(Inverse, DimensionsMustAgree) {
  EXPECT_THROW(invert(Displacement(oblique_grid(2, small_size(2))), oblique_grid(3, small_size(3))),
               Error);
}

}  // namespace
}  // namespace aladdin
