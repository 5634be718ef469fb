#include "aladdin/evaluate/folds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/core/parallel.h"
#include "aladdin/core/rng.h"
#include "aladdin/evaluate/test_cohort.h"

namespace aladdin::evaluate {
namespace {

using namespace evaluate::testing;
using kernels::Shape;

class FoldCount : public ::testing::TestWithParam<Shape> {
 protected:
  const Shape shape_ = GetParam();
  std::vector<float> u_ = std::vector<float>(shape_.dims * shape_.voxels());

  // The component c of u at each voxel as a function of that coordinate.
  void along(int c, auto&& value) {
    for (std::int64_t v = 0; v < shape_.voxels(); ++v) {
      const std::int64_t at[3] = {v % shape_.w, v / shape_.w % shape_.h, v / (shape_.w * shape_.h)};
      u_[c * shape_.voxels() + v] = float(value(at[c]));
    }
  }
  Folds folds() const { return count_folds(u_.data(), shape_); }
};
INSTANTIATE_TEST_SUITE_P(Dims, FoldCount, ::testing::Values(kVolume, kPicture),
                         [](const auto& s) { return s.param.dims == 2 ? "Picture" : "Volume"; });

TEST_P(FoldCount, OfTheIdentityIsNone) {
  const Folds f = folds();
  EXPECT_EQ(f.voxels, shape_.voxels());
  EXPECT_EQ(f.negative + f.not_positive + f.folded_cells, 0);
  EXPECT_EQ(f.volume_vox, 0);
  EXPECT_EQ(f.smallest, 1);
  EXPECT_EQ(f.largest, 1);
}

TEST_P(FoldCount, OfADiffeomorphismIsNone) {
  const auto s = make_subject(shape_, 2.0, 4);
  u_ = s.to_subject;
  const Folds f = folds();
  EXPECT_EQ(f.not_positive + f.folded_cells, 0);
  EXPECT_GT(f.smallest, 0);
  EXPECT_LT(f.smallest, 0.95);
  EXPECT_GT(f.log_sd, 0.01);
}

// x -> -x along one axis: everything is inside out, and volume is kept.
TEST_P(FoldCount, OfAReflectionIsAll) {
  along(1, [](std::int64_t i) { return -2.0 * double(i); });
  const Folds f = folds();
  EXPECT_EQ(f.negative, f.voxels);
  EXPECT_EQ(f.folded_cells, f.cells);
  EXPECT_NEAR(f.volume_vox, double(f.cells), 1e-6 * double(f.cells));
  EXPECT_NEAR(f.volume_percent(), 100, 1e-4);
  EXPECT_EQ(f.log_sd, 0);
}

// A projection: determinants of 0 are folds for one count and not for the paper's.
TEST_P(FoldCount, OfAProjectionIsNoneAsThePaperCounts) {
  along(0, [](std::int64_t i) { return -double(i); });
  const Folds f = folds();
  EXPECT_EQ(f.negative, 0);
  EXPECT_EQ(f.not_positive, f.voxels);
  EXPECT_EQ(f.folded_cells, f.cells);
  EXPECT_EQ(f.volume_vox, 0);
}

// Every second voxel is moved by 1.25 along x. Central differences see nothing inside, as the two
// neighbours of a voxel move alike; each second column of cells has length 1 - 1.25 = -0.25.
TEST_P(FoldCount, SeesACheckerboardThatCentralDifferencesMiss) {
  along(0, [](std::int64_t i) { return i % 2 ? 0.0 : 1.25; });
  const Folds f = folds();
  const std::int64_t per_column = f.cells / (shape_.w - 1), odd_columns = shape_.w / 2;
  EXPECT_EQ(f.folded_cells, odd_columns * per_column);
  EXPECT_NEAR(f.volume_vox, 0.25 * double(odd_columns * per_column), 1e-6 * double(f.cells));
  // One-sided at the border only: first column 1 - 1.25 < 0, last 1 -+ 1.25.
  EXPECT_EQ(f.negative, shape_.voxels() / shape_.w * (shape_.w % 2 ? 1 : 2));
}

// One voxel moved by 1.5 along x, worked out by hand.
TEST_P(FoldCount, OfOneVoxelIsTheVolumeOfTheTurnedPieces) {
  const std::int64_t v = 5 + shape_.w * (6 + (shape_.dims == 3 ? shape_.h * 7 : 0));
  u_[v] = 1.5F;
  const Folds f = folds();
  // In each of the 4 (2-D: 2) cells on its right, the corner pieces at v and at its right neighbour
  // have D = 1 - 1.5; the piece of alternate corners at v has 2 - 1.5, all others stay positive.
  if (shape_.dims == 3)
    EXPECT_NEAR(f.volume_vox, 4 * 0.5 * (0.5 + 0.5) / 6, 1e-6);
  else
    EXPECT_NEAR(f.volume_vox, 2 * 0.5 * (0.5 + 0.5) / 2, 1e-6);
  EXPECT_EQ(f.folded_cells, shape_.dims == 3 ? 4 : 2);
  EXPECT_EQ(f.negative, 0);  // and central differences: 1 - 0.75
}

TEST_P(FoldCount, CountsWhatIsNotFinite) {
  u_[3] = std::nanf("");
  EXPECT_GT(folds().negative, 0);
  EXPECT_GT(folds().folded_cells, 0);
  EXPECT_TRUE(std::isfinite(folds().volume_vox));
}

TEST_P(FoldCount, HasTheSameBitsForAnyNumberOfThreads) {
  Rng rng(5);
  for (float& u : u_) u = float(rng.uniform(-1, 1));
  const int before = threads();
  set_threads(1);
  const Folds one = folds();
  set_threads(3);
  const Folds three = folds();
  set_threads(before);
  EXPECT_GT(one.negative, 0);
  EXPECT_EQ(one.negative, three.negative);
  EXPECT_EQ(one.folded_cells, three.folded_cells);
  EXPECT_EQ(one.volume_vox, three.volume_vox);
  EXPECT_EQ(one.log_sd, three.log_sd);
}

}  // namespace
}  // namespace aladdin::evaluate
