#include "aladdin/measure/log_jacobian.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/transform/test_fields.h"

namespace aladdin::measure {
namespace {

using ::testing::HasSubstr;

class LogJacobian : public ::testing::TestWithParam<int> {
 protected:
  const int dims_ = GetParam();
  const Grid grid_ = testing::oblique_grid(dims_, testing::small_size(dims_));

  Affine stretch() const {
    Affine affine;
    affine.dims = dims_;
    affine.matrix = {{{1.2, .1, 0}, {-.05, .9, 0}, {0, 0, 1}}};
    if (dims_ == 3) affine.matrix[2] = {.1, 0, 1.3};
    affine.offset = {3, -2, dims_ == 3 ? 5.0 : 0.0};
    return affine;
  }
  std::vector<std::uint8_t> all() const {
    return std::vector<std::uint8_t>(static_cast<std::size_t>(grid_.voxels()), 1);
  }
};

TEST_P(LogJacobian, OfAnAffineMapIsThatOfItsMatrix) {
  const Chain chain{stretch()};
  const double expected = std::log(determinant(stretch().matrix));
  std::int64_t folds = -1;
  for (const float value : log_jacobian(chain, grid_, &folds).values)
    ASSERT_NEAR(value, expected, 1e-4);
  EXPECT_EQ(folds, 0);
  EXPECT_NEAR(affine_log_jacobian(chain, grid_, all()), expected, 1e-6);
}

// log |d(f o g)| = log |df| at g + log |dg|: with f affine, a constant is added everywhere, and the relative map
// does not change.
TEST_P(LogJacobian, AnAffineMapAfterwardsAddsAConstantThatTheRelativeMapLoses) {
  const Displacement warp = testing::smooth_field(grid_, 1.0, 1, 4);
  const Chain alone{warp}, both{warp, stretch()};
  const double constant = std::log(determinant(stretch().matrix));
  const Image a = log_jacobian(alone, grid_), b = log_jacobian(both, grid_);
  for (std::size_t v = 0; v < a.values.size(); ++v)
    ASSERT_NEAR(b.values[v] - a.values[v], constant, 2e-4);
  EXPECT_NEAR(affine_log_jacobian(both, grid_, all()) - affine_log_jacobian(alone, grid_, all()),
              constant, 1e-5);
}

// The integral of det dy/dx over a box that y leaves fixed at its border is the volume of the box.
TEST_P(LogJacobian, OfAMapThatKeepsItsBorderIntegratesToTheVolume) {
  Displacement field(grid_);
  const Mat3 to_mm = grid_.index_to_point();
  for (std::int64_t v = 0; v < grid_.voxels(); ++v) {
    const Vec3 x = testing::index_of(grid_, v);
    double bump = 1;
    for (int axis = 0; axis < dims_; ++axis)
      bump *= std::pow(std::sin(3.14159265 * x[axis] / double(grid_.size[axis] - 1)), 2);
    const Vec3 u = to_mm * Vec3{1.5 * bump, -bump, dims_ == 3 ? .8 * bump : 0};
    for (int c = 0; c < dims_; ++c) field.vectors.component(c)[v] = static_cast<float>(u[c]);
  }
  double sum = 0;
  const Image map = log_jacobian(field);
  for (const float value : map.values) sum += std::exp(double(value));
  EXPECT_NEAR(sum / double(grid_.voxels()), 1, 2e-3);
  EXPECT_GT(*std::max_element(map.values.begin(), map.values.end()), .05);
}

TEST_P(LogJacobian, FoldsAreCountedAndHaveTheFloor) {
  Affine mirror;
  mirror.dims = dims_;
  mirror.matrix[0][0] = -1;
  std::int64_t folds = 0;
  for (const float value : log_jacobian({mirror}, grid_, &folds).values)
    ASSERT_FLOAT_EQ(value, static_cast<float>(std::log(kSmallestDeterminant)));
  EXPECT_EQ(folds, grid_.voxels());
}

TEST_P(LogJacobian, AFlatMaskHasNoSize) {
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(grid_.voxels()), 0);
  for (std::int64_t v = 0; v < grid_.voxels(); ++v)
    mask[static_cast<std::size_t>(v)] = testing::index_of(grid_, v)[1] == 4;
  EXPECT_THAT(testing::error_of([&] { affine_log_jacobian({stretch()}, grid_, mask); }),
              HasSubstr(dims_ == 2 ? "on a line" : "in a plane"));
}

INSTANTIATE_TEST_SUITE_P(In, LogJacobian, ::testing::Values(2, 3));

}  // namespace
}  // namespace aladdin::measure
