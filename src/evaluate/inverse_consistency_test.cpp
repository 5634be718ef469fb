#include "aladdin/evaluate/inverse_consistency.h"

#include <gtest/gtest.h>

#include "aladdin/evaluate/test_cohort.h"

namespace aladdin::evaluate {
namespace {

using namespace evaluate::testing;

constexpr std::array<double, 3> kSpacing{0.5, 2.0, 3.0};

Grid grid_of(const kernels::Shape& shape) {
  Grid grid;
  grid.dims = shape.dims;
  grid.size = {shape.w, shape.h, shape.d};
  for (int axis = 0; axis < shape.dims; ++axis) grid.spacing[axis] = kSpacing[axis];
  return grid;
}

class RoundTrip : public ::testing::TestWithParam<kernels::Shape> {
 protected:
  const kernels::Shape shape_ = GetParam();
  std::vector<float> shift(float x, float y) const {
    std::vector<float> u(shape_.dims * shape_.voxels());
    std::fill_n(u.begin(), shape_.voxels(), x);
    std::fill_n(u.begin() + shape_.voxels(), shape_.voxels(), y);
    return u;
  }
};
INSTANTIATE_TEST_SUITE_P(Dims, RoundTrip, ::testing::Values(kVolume, kPicture),
                         [](const auto& s) { return s.param.dims == 2 ? "Picture" : "Volume"; });

TEST_P(RoundTrip, OfOppositeShiftsIsZeroOverWhatStaysInside) {
  const auto there = shift(3, 0), back = shift(-3, 0);
  const auto e = inverse_consistency(there.data(), back.data(), shape_, kSpacing);
  EXPECT_EQ(e.max_vox, 0);
  EXPECT_EQ(e.voxels, shape_.voxels() / shape_.w * (shape_.w - 3));
}

TEST_P(RoundTrip, OfShiftsThatDoNotMatchIsTheirDifference) {
  const auto there = shift(3, 0), back = shift(0, 4);
  const auto e = inverse_consistency(there.data(), back.data(), shape_, kSpacing);
  EXPECT_NEAR(e.mean_vox, 5, 1e-9);
  EXPECT_NEAR(e.max_vox, 5, 1e-9);
  EXPECT_NEAR(e.mean_mm, std::hypot(3 * 0.5, 4 * 2.0), 1e-9);
  EXPECT_NEAR(e.max_mm, std::hypot(3 * 0.5, 4 * 2.0), 1e-9);
}

TEST_P(RoundTrip, WithNothingInsideIsZeroOverNothing) {
  const auto there = shift(1e6F, 0);
  const auto e = inverse_consistency(there.data(), there.data(), shape_, kSpacing);
  EXPECT_EQ(e.voxels, 0);
  EXPECT_EQ(e.mean_mm, 0);
}

TEST_P(RoundTrip, OfAnExponentialIsSmallAndOfTheSameFieldTwiceIsNot) {
  const auto s = make_subject(shape_, 2.0, 3);
  const auto good = inverse_consistency(s.to_subject.data(), s.to_atlas.data(), shape_, kSpacing);
  const auto bad = inverse_consistency(s.to_subject.data(), s.to_subject.data(), shape_, kSpacing);
  EXPECT_LT(good.mean_vox, 0.05);
  EXPECT_GT(good.mean_vox, 0);
  EXPECT_GT(bad.mean_vox, 0.5);
}

TEST_P(RoundTrip, OfChainsAgreesWithTheWorkingGrid) {
  const auto s = make_subject(shape_, 2.0, 3);
  const Grid grid = grid_of(shape_);
  VectorImage there(grid), back(grid);
  there.values = s.to_subject;
  back.values = s.to_atlas;
  const Affine shift = translation({7, -9, 0}, shape_.dims);
  const auto chains = inverse_consistency({Displacement(voxels_to_mm(there)), shift},
                                          {inverse(shift), Displacement(voxels_to_mm(back))}, grid);
  const auto fields = inverse_consistency(s.to_subject.data(), s.to_atlas.data(), shape_, kSpacing);
  // Chains have values up to half a voxel beyond the outermost voxels.
  EXPECT_GE(chains.voxels, fields.voxels);
  EXPECT_NEAR(chains.mean_vox, fields.mean_vox, 0.02);
  EXPECT_NEAR(chains.mean_mm, fields.mean_mm, 0.04);
  const auto exact = inverse_consistency({shift}, inverse(Chain{shift}), grid);
  EXPECT_NEAR(exact.max_mm, 0, 1e-12);
  EXPECT_EQ(exact.voxels, grid.voxels());
}

}  // namespace
}  // namespace aladdin::evaluate
