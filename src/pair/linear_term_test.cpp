#include "aladdin/pair/linear_term.h"

#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/core/parallel.h"
#include "aladdin/pair/test_scene.h"

namespace aladdin {
namespace {

using testing::around_scene;
using testing::view;

Affine near(int dims) {
  const Affine turn = compose(rotation(2, 0.1, {2, 3, 0}, dims),
                              scaling({1.04, 0.97, dims == 3 ? 1.02 : 1}, {0, 0, 0}, dims));
  return compose(translation({1.3, -0.7, dims == 3 ? 0.4 : 0}, dims), turn);
}

// T o (id + h D), D one of the motions of the frame.
Affine nudged(const Affine& map, const MotionFrame& frame, int motion, double h) {
  Mat3 m = kIdentity3;
  Vec3 b{0, 0, 0};
  if (motion < 9)
    m[motion / 3][motion % 3] += h / frame.radius;
  else
    b[motion - 9] = h;
  return compose(map, {m, frame.centre + b - m * frame.centre, map.dims});
}

class LinearTerm : public ::testing::TestWithParam<std::tuple<SimilarityKind, bool, int>> {};

TEST_P(LinearTerm, GradientIsThatOfFiniteDifferences) {
  const auto [similarity, of_inverse, dims] = GetParam();
  LossConfig loss;
  loss.similarity = similarity;
  Grid moving_grid = around_scene(dims, 1.3);
  moving_grid.direction = rotation(2, 0.4, {0, 0, 0}, dims).matrix;
  moving_grid.origin = moving_grid.direction * moving_grid.origin;
  // The fixed image ends well inside the moving one, so that the same voxels are seen after each nudge.
  Grid fixed_grid = around_scene(dims, 2);
  for (int axis = 0; axis < dims; ++axis) {
    fixed_grid.size[axis] = 18;
    fixed_grid.origin[axis] = -17;
  }
  const MaskedImage fixed{view(fixed_grid), {}}, moving{view(moving_grid), {}};
  const Affine map = near(dims);  // fixed to moving
  const MotionFrame frame{{1, 2, dims == 3 ? 3.0 : 0}, 15, of_inverse};
  // The inverse is nudged as the map from which it comes: (S^-1 o (id + h D))^-1 = (id - h D) o S, S = map.
  const auto at = [&](int motion, double h) {
    const Affine m = of_inverse ? inverse(nudged(inverse(map), frame, motion, h))
                                : nudged(map, frame, motion, h);
    return linear_match(fixed, moving, m, frame, loss).energy;
  };
  const LinearMatch match = linear_match(fixed, moving, map, frame, loss);
  EXPECT_GT(match.energy, 1e-4);
  double largest = 0;
  for (const double g : match.gradient) largest = std::max(largest, std::abs(g));
  EXPECT_GT(largest, 1e-4);
  for (int motion = 0; motion < kMotions; ++motion) {
    if (dims == 2 && motion != 0 && motion != 1 && motion != 3 && motion != 4 && motion != 9 &&
        motion != 10)
      continue;
    const double h = 2e-3, slope = (at(motion, h) - at(motion, -h)) / (2 * h);
    // The interpolation has kinks at the voxels, and mi at its bins.
    EXPECT_NEAR(match.gradient[motion], slope,
                (similarity == SimilarityKind::mi ? 0.1 : 0.03) * largest)
        << "motion " << motion;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LinearTerm,
                         ::testing::Combine(::testing::Values(SimilarityKind::mse,
                                                              SimilarityKind::ncc,
                                                              SimilarityKind::mi),
                                            ::testing::Bool(), ::testing::Values(2, 3)));

TEST(LinearTermMasks, WhatIsNotShownDoesNotCount) {
  LossConfig loss;
  loss.similarity = SimilarityKind::ncc;
  const Grid grid = around_scene(3, 4);
  MaskedImage fixed{view(grid), Labels(grid, 1)}, moving{view(grid), {}};
  for (std::int64_t v = 0; v < grid.voxels(); ++v)
    if (v % 5 == 0) {
      fixed.image.values[v] = 1;
      fixed.mask.values[v] = 0;
    }
  const MotionFrame frame{{0, 0, 0}, 20, false};
  EXPECT_LT(linear_match(fixed, moving, translation({0, 0, 0}), frame, loss).energy, 1e-6);
  // The other way round the mask is that of the moving image.
  EXPECT_LT(linear_match(moving, fixed, translation({0, 0, 0}), frame, loss).energy, 1e-6);
  fixed.mask = {};
  EXPECT_GT(linear_match(fixed, moving, translation({0, 0, 0}), frame, loss).energy, 0.1);
  // Nothing in common.
  EXPECT_TRUE(std::isinf(linear_match(fixed, moving, translation({70, 0, 0}), frame, loss).energy));
}

TEST(LinearTermThreads, DoNotChangeTheBits) {
  const Grid grid = around_scene(3, 2);
  const MaskedImage fixed{view(grid), {}}, moving{view(grid, {near(3)}), {}};
  LossConfig loss;
  loss.similarity = SimilarityKind::ncc;
  const MotionFrame frame{{0, 0, 0}, 20, false};
  std::vector<LinearMatch> found;
  for (const int n : {1, 3}) {
    set_threads(n);
    found.push_back(linear_match(fixed, moving, translation({1, 1, 1}), frame, loss));
  }
  set_threads(0);
  EXPECT_EQ(found[0].energy, found[1].energy);
  EXPECT_EQ(found[0].gradient, found[1].gradient);
  EXPECT_EQ(found[0].curvature, found[1].curvature);
}

}  // namespace
}  // namespace aladdin
