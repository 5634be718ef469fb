#include "aladdin/pair/linear_registration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/image/test_files.h"
#include "aladdin/pair/test_scene.h"

namespace aladdin {
namespace {

using testing::around_scene;
using testing::turn_between;
using testing::view;

Affine rigid_truth(int dims, double degrees) {
  const double angle = degrees * M_PI / 180;
  // About an axis that is none of the grid's.
  const Affine turn =
      dims == 2 ? rotation(2, angle, {0, 0, 0}, 2)
                : compose(rotation(1, 0.5), compose(rotation(2, angle), rotation(1, -0.5)));
  return compose(translation({7, -4, dims == 3 ? 5.0 : 0}, dims), turn);
}

// The largest distance between two maps over the corners of the scene.
double distance(const Affine& a, const Affine& b) {
  double largest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p{corner & 1 ? 20.0 : -20, corner & 2 ? 20.0 : -20,
                 a.dims == 2 ? 0 : (corner & 4 ? 20.0 : -20)};
    largest = std::max(largest, norm(a(p) - b(p)));
  }
  return largest;
}

TEST(LinearRegistration, ARigidMotionOfThirtyDegreesIsRecovered) {
  for (const int dims : {2, 3})
    for (const auto similarity : {SimilarityKind::ncc, SimilarityKind::mse, SimilarityKind::mi}) {
      const Affine truth = rigid_truth(dims, 30);  // fixed to moving
      const MaskedImage moving{view(around_scene(dims)), {}},
          fixed{view(around_scene(dims), {truth}), {}};
      const Affine found = register_linear(fixed, moving, {LinearKind::rigid, similarity}).map;
      // The histogram of mi is coarser than a tenth of a millimetre.
      const double most = similarity == SimilarityKind::mi ? 0.4 : 0.1;
      EXPECT_LT(norm(found({0, 0, 0}) - truth({0, 0, 0})), most) << dims << name_of(similarity);
      EXPECT_LT(turn_between(found, truth), most) << dims << name_of(similarity);
      EXPECT_NEAR(determinant(found.matrix), 1, 1e-9);
    }
}

TEST(LinearRegistration, GridsSpacingsAndOrientationsDoNotMatter) {
  const Affine truth = rigid_truth(3, 30);
  Grid other = around_scene(3, 1);
  other.spacing = {1.2, 0.9, 3.1};
  other.size = {70, 80, 28};
  other.direction =
      rotation(2, 0.3).matrix * rotation(0, 0.5).matrix * Mat3{{{0, 0, -1}, {1, 0, 0}, {0, 1, 0}}};
  other.origin = {0, 0, 0};
  other.origin = Vec3{2, -1, 3} - other.centre();
  const MaskedImage fixed{view(around_scene(3), {truth}), {}}, moving{view(other), {}};
  const Affine there = register_linear(fixed, moving, {LinearKind::rigid}).map;
  EXPECT_LT(norm(there({0, 0, 0}) - truth({0, 0, 0})), 0.1);
  EXPECT_LT(turn_between(there, truth), 0.1);
  // And with the two exchanged.
  const Affine back = register_linear(moving, fixed, {LinearKind::rigid}).map;
  EXPECT_LT(distance(compose(back, there), translation({0, 0, 0})), 0.05);
}

TEST(LinearRegistration, EachKindFindsItsMaps) {
  const Vec3 c{3, -2, 1};
  const Affine turn = rigid_truth(3, 12);
  const Affine similar = compose(turn, scaling({1.12, 1.12, 1.12}, c));
  Affine sheared = compose(turn, scaling({1.1, 0.9, 1.05}, c));
  sheared.matrix[0][1] += 0.08;
  const MaskedImage moving{view(around_scene(3)), {}};
  const auto error = [&](const Affine& truth, LinearKind kind) {
    const MaskedImage fixed{view(around_scene(3), {truth}), {}};
    return distance(register_linear(fixed, moving, {kind}).map, truth);
  };
  EXPECT_LT(error(similar, LinearKind::similarity), 0.15);
  EXPECT_LT(error(sheared, LinearKind::affine), 0.2);
  EXPECT_GT(error(sheared, LinearKind::similarity), 0.5);
  EXPECT_GT(error(similar, LinearKind::rigid), 0.5);
}

TEST(LinearRegistration, AMaskKeepsALesionOut) {
  const Affine truth = rigid_truth(3, 10);
  const Grid grid = around_scene(3);
  MaskedImage fixed{view(grid, {truth}), Labels(grid, 1)};
  const MaskedImage moving{view(grid), {}};
  for (std::int64_t k = 0; k < 40; ++k)
    for (std::int64_t j = 0; j < 40; ++j)
      for (std::int64_t i = 24; i < 40; ++i)
        if (norm(Vec3{i - 28.0, j - 18.0, k - 20.0}) < 4) {
          fixed.image.at(i, j, k) = 1;
          fixed.mask.at(i, j, k) = 0;
        }
  EXPECT_LT(distance(register_linear(fixed, moving, {LinearKind::rigid}).map, truth), 0.15);
  MaskedImage unmasked{fixed.image, {}};
  EXPECT_GT(distance(register_linear(unmasked, moving, {LinearKind::rigid}).map, truth), 0.3);
}

TEST(LinearRegistration, WhatHasNothingInCommonIsRefused) {
  const Grid grid = around_scene(3, 4);
  MaskedImage fixed{view(grid), Labels(grid, 0)}, moving{view(grid), {}};
  fixed.mask.at(3, 3, 3) = 1;
  moving.mask = Labels(grid, 1);
  EXPECT_NO_THROW(register_linear(moving, moving, {LinearKind::rigid}));
  const Grid flat = around_scene(2);
  EXPECT_THAT(testing::error_of([&] {
                register_linear({view(flat), {}}, moving);
              }),
              ::testing::HasSubstr("a 3-D image cannot be registered to a 2-D one"));
}

}  // namespace
}  // namespace aladdin
