#include "aladdin/evaluate/label_fusion.h"

#include <gtest/gtest.h>

#include "aladdin/core/error.h"

namespace aladdin::evaluate {
namespace {

Grid row_of(std::int64_t voxels) {
  Grid grid;
  grid.size = {voxels, 1, 1};
  grid.spacing = {2, 3, 1};
  grid.dims = 2;
  return grid;
}

TEST(LabelFusion, TheHeavierVoteWinsAndSharesAddUpToOne) {
  const Grid grid = row_of(3);
  const std::vector<LabelIndex> a{0, 1, 2}, b{0, 2, 1};
  LabelFusion fusion(grid, 3);
  fusion.add({a.data(), &grid}, {}, {1, 3, 1});
  fusion.add({b.data(), &grid}, {}, {1, 1, 4});
  EXPECT_EQ(fusion.labels(), (std::vector<LabelIndex>{0, 1, 1}));
  EXPECT_FLOAT_EQ(fusion.probability(1)[1], 0.75F);
  EXPECT_FLOAT_EQ(fusion.probability(1)[2], 0.8F);
  for (int v = 0; v < 3; ++v)
    EXPECT_FLOAT_EQ(fusion.probability(0)[v] + fusion.probability(1)[v] + fusion.probability(2)[v],
                    1);
}

// 2 mm a voxel: a shift of 2 mm is one voxel; beyond the map there is background.
TEST(LabelFusion, FollowsTheTransform) {
  const Grid grid = row_of(4);
  const std::vector<LabelIndex> map{0, 0, 1, 1};
  LabelFusion fusion(grid, 2);
  fusion.add({map.data(), &grid}, {translation({2, 0, 0}, 2)}, std::vector<float>(4, 1));
  EXPECT_EQ(fusion.labels(), (std::vector<LabelIndex>{0, 1, 1, 0}));
}

TEST(LabelFusion, SharesOfAnAtlasAreTakenAsTheyAre) {
  const Grid grid = row_of(3);
  Image none(grid), one(grid);
  none.values = {0.9F, 0.4F, 0.5F};
  one.values = {0.1F, 0.6F, 0.5F};
  LabelFusion fusion(grid, 2);
  fusion.add_shares(AtlasShares({none, one}), {});
  EXPECT_EQ(fusion.labels(), (std::vector<LabelIndex>{0, 1, 0}));  // of equals the smallest
  EXPECT_FLOAT_EQ(fusion.probability(1)[1], 0.6F);
}

// A voxel between two of the atlas has the mean of their shares, of any number of labels; beyond the atlas is
// background.
TEST(LabelFusion, SharesOfManyLabelsAreInterpolated) {
  constexpr int kLabels = 200;
  const Grid atlas = row_of(2);
  std::vector<Image> volumes(kLabels, Image(atlas));
  volumes[7].values = {1, 0};
  volumes[150].values = {0, 0.75F};
  volumes[199].values = {0, 0.25F};
  Grid fine = row_of(6);
  fine.spacing[0] = 1;
  LabelFusion fusion(fine, kLabels);
  fusion.add_shares(AtlasShares(volumes), {});
  EXPECT_EQ(fusion.labels(), (std::vector<LabelIndex>{7, 7, 150, 0, 0, 0}));
  EXPECT_FLOAT_EQ(fusion.probability(150)[1], 0.375F);
  EXPECT_FLOAT_EQ(fusion.probability(199)[2], 0.25F);
  EXPECT_EQ(fusion.probability(0)[5], 1);
  EXPECT_THROW(fusion.add_shares(AtlasShares({volumes[0]}), {}), Error);
}

TEST(LabelFusion, WhereNothingWasAddedThereIsBackground) {
  const LabelFusion fusion(row_of(2), 2);
  EXPECT_EQ(fusion.labels(), (std::vector<LabelIndex>{0, 0}));
  EXPECT_EQ(fusion.probability(0)[0], 1);
  EXPECT_EQ(fusion.probability(1)[0], 0);
}

// 11 voxels, a difference of 1 in the first: means over 3, 4, 5 voxels there, none from the fourth on.
TEST(LocalWeights, FallWithTheDifferenceNearby) {
  Image a(row_of(11)), b(row_of(11));
  a.values[0] = 1;
  const auto w = local_weights(a, b);
  const auto expected = [](double mean) { return 1 / ((mean + 1e-4) * (mean + 1e-4)); };
  EXPECT_NEAR(w[0], expected(1 / 3.0), 1e-3);
  EXPECT_NEAR(w[1], expected(1 / 4.0), 1e-3);
  EXPECT_NEAR(w[2], expected(1 / 5.0), 1e-3);
  EXPECT_NEAR(w[3] / 1e8, 1, 1e-3);
  EXPECT_THROW(local_weights(a, Image(row_of(3))), Error);
}

TEST(Volumes, AreVoxelsTimesTheirSize) {
  const auto volumes = volumes_mm3({0, 1, 1, 2}, row_of(4), 4);
  EXPECT_EQ(volumes, (std::vector<double>{6, 12, 6, 0}));
}

}  // namespace
}  // namespace aladdin::evaluate
