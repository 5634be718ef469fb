#include "aladdin/transform/velocity.h"

#include <gtest/gtest.h>

#include "aladdin/core/error.h"
#include "aladdin/transform/test_fields.h"

namespace aladdin {
namespace {

using namespace testing;

TEST(Velocity, ConstantFlowsToItself) {
  for (const int dims : {2, 3}) {
    Velocity velocity(oblique_grid(dims, small_size(dims)));
    for (std::size_t i = 0; i < velocity.vectors.values.size(); ++i)
      velocity.vectors.values[i] = 1.5F;
    const Displacement forward = exponential(velocity, Direction::forward);
    const Displacement backward = exponential(velocity, Direction::backward);
    for (std::size_t i = 0; i < forward.vectors.values.size(); ++i) {
      ASSERT_NEAR(forward.vectors.values[i], 1.5, 1e-4);
      ASSERT_NEAR(backward.vectors.values[i], -1.5, 1e-4);
    }
  }
}

// v(x) = A (x - c) flows to x -> c + exp(A)(x - c): only with the right units and axes.
TEST(Velocity, LinearFlowsToTheMatrixExponential) {
  for (const int dims : {2, 3}) {
    const Grid grid = oblique_grid(dims, dims == 2 ? Size3{41, 41, 1} : Size3{31, 31, 21});
    Mat3 a{{{0.1, -0.2, 0.05}, {0.15, -0.1, 0.0}, {0.0, 0.1, 0.08}}};
    if (dims == 2) a = {{{0.1, -0.2, 0}, {0.15, -0.1, 0}, {0, 0, 0}}};
    Velocity velocity(grid);
    for (std::int64_t v = 0; v < grid.voxels(); ++v) {
      const Vec3 speed = a * (grid.to_point(index_of(grid, v)) - grid.centre());
      for (int c = 0; c < dims; ++c)
        velocity.vectors.component(c)[v] = static_cast<float>(speed[c]);
    }
    const Displacement flow = exponential(velocity, Direction::forward, 10);
    const Mat3 expected = matrix_exponential(a);
    for (const Vec3& point :
         points_inside(grid, static_cast<double>(grid.size[dims - 1]) * 0.3, 100))
      EXPECT_LT(
          norm(map_point({flow}, point) - (grid.centre() + expected * (point - grid.centre()))),
          0.02);
  }
}

TEST(Velocity, ForwardAndBackwardAreInverses) {
  const Grid grid = oblique_grid(3, small_size(3));
  Velocity velocity(grid);
  velocity.vectors = smooth_field(grid, 1.5, 1, 21).vectors;
  const Displacement there = exponential(velocity, Direction::forward);
  const Displacement back = exponential(velocity, Direction::backward);
  for (const Vec3& point : points_inside(grid, 4, 200))
    EXPECT_LT(norm(map_point({there, back}, point) - point), 0.05 * 0.7);
}

// A rough velocity on every second voxel, integrated there and on the fine grid.
TEST(Velocity, OnTheFineGridTheInversesAgreeBetter) {
  Grid fine = oblique_grid(3, {24, 22, 20}), coarse = fine;
  coarse.size = {12, 11, 10};
  for (double& s : coarse.spacing) s *= 2;
  Velocity velocity(coarse);
  velocity.vectors = smooth_field(coarse, 3, 2, 21).vectors;
  const Velocity same = refined(velocity, fine);
  ASSERT_EQ(same.grid().size, fine.size);
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(same.vectors.component(c)[fine.offset(6, 8, 4)],
                velocity.vectors.component(c)[coarse.offset(3, 4, 2)], 1e-4);
  const auto error = [&](const Velocity& v) {
    const Displacement there = exponential(v, Direction::forward),
                       back = exponential(v, Direction::backward);
    double sum = 0;
    const auto points = points_inside(fine, 5, 300);
    for (const Vec3& point : points) sum += norm(map_point({there, back}, point) - point);
    return sum / double(points.size());
  };
  EXPECT_LT(error(same), 0.7 * error(velocity));
  EXPECT_THROW(refined(velocity, oblique_grid(3, {30, 22, 20})), Error);
}

TEST(Velocity, SquaringsAreBounded) {
  const Velocity velocity(oblique_grid(2, {4, 4, 1}));
  EXPECT_THROW(exponential(velocity, Direction::forward, -1), Error);
  EXPECT_THROW(exponential(velocity, Direction::forward, 31), Error);
}

}  // namespace
}  // namespace aladdin
