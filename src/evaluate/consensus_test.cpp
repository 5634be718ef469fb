#include "aladdin/evaluate/consensus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/evaluate/image_space.h"
#include "aladdin/evaluate/test_cohort.h"

namespace aladdin::evaluate {
namespace {

using namespace evaluate::testing;
using Map = std::vector<LabelIndex>;

// Three subjects of six voxels, worked out by hand. The vote is 0 1 1 1 2 0, the last voxel a tie
// of 0, 1 and 2.
const Map kFirst{0, 1, 1, 1, 2, 0}, kSecond{0, 0, 1, 1, 2, 1}, kThird{0, 1, 1, 2, 2, 2};

AtlasSpace by_hand() {
  AtlasSpace space(6, 4);
  for (const Map& map : {kFirst, kSecond, kThird}) space.add(map.data());
  return space;
}

TEST(AtlasSpace, ConsensusByHand) {
  const AtlasSpace space = by_hand();
  EXPECT_THAT(space.consensus(), ::testing::ElementsAre(0, 1, 1, 1, 2, 0));
  const auto scores = space.consensus_dice();
  EXPECT_EQ(*scores[0].mean, 1);
  EXPECT_DOUBLE_EQ(*scores[1].of[1], 4 / 6.0);
  EXPECT_DOUBLE_EQ(*scores[1].of[2], 1);
  EXPECT_DOUBLE_EQ(*scores[2].of[1], 4 / 5.0);
  EXPECT_DOUBLE_EQ(*scores[2].of[2], 2 / 4.0);
  EXPECT_FALSE(scores[2].of[3]);
}

TEST(AtlasSpace, PairsByHand) {
  const auto pairs = by_hand().pair_dice();
  const double one[3] = {4 / 6.0, 4 / 5.0, 2 / 5.0}, two[3] = {1, 2 / 4.0, 2 / 4.0};
  EXPECT_EQ(pairs.of[1].count, 3);
  EXPECT_NEAR(pairs.of[1].mean, statistic(one).mean, 1e-12);
  EXPECT_NEAR(pairs.of[1].sd, statistic(one).sd, 1e-12);
  EXPECT_NEAR(pairs.of[2].mean, statistic(two).mean, 1e-12);
  EXPECT_EQ(pairs.of[3].count, 0);
  EXPECT_NEAR(pairs.mean.mean, (statistic(one).mean + statistic(two).mean) / 2, 1e-12);
}

TEST(AtlasSpace, OfTooFewThrows) {
  AtlasSpace space(6, 4);
  EXPECT_THROW(space.consensus_dice(), Error);
  space.add(kFirst.data());
  EXPECT_EQ(*space.consensus_dice()[0].mean, 1);
  EXPECT_THROW(space.pair_dice(), Error);
  const Map unknown{0, 0, 0, 0, 0, 4};
  EXPECT_THROW(space.add(unknown.data()), Error);
}

TEST(AtlasSpace, HasTheSameBitsForAnyNumberOfThreads) {
  AtlasSpace space(kVolume.voxels(), kLabels);
  for (const auto& s : make_cohort(kVolume, 5, 0.5)) {
    Map pulled(kVolume.voxels());
    pull_labels(s.labels.data(), s.to_subject.data(), kVolume, kLabels, pulled.data());
    space.add(pulled.data());
  }
  const int before = threads();
  set_threads(1);
  const double one = space.pair_dice().mean.mean;
  set_threads(3);
  EXPECT_EQ(space.pair_dice().mean.mean, one);
  set_threads(before);
  EXPECT_GT(one, 0.3);
  EXPECT_LT(one, 0.99);
}

TEST(PullLabels, OfAShiftMovesVoxelsAndLeavesBackgroundBehind) {
  const kernels::Shape shape{1, 1, 2, 4, 2};
  const Map labels{1, 1, 2, 3, 1, 1, 2, 3};
  std::vector<float> u(16, 0.0F);
  std::fill_n(u.begin(), 8, 1.0F);
  Map out(8);
  pull_labels(labels.data(), u.data(), shape, 4, out.data());
  EXPECT_THAT(out, ::testing::ElementsAre(1, 2, 3, 0, 1, 2, 3, 0));
}

// S_i = S o Φ_i^-1 makes d^image 1 on the working grid; and mm agree with voxels.
TEST(ImageSpace, OfItsOwnPulledMapIsPerfectAndOfAnotherIsNot) {
  const auto s = make_subject(kVolume, 2.0, 1), other = make_subject(kVolume, 2.0, 2);
  Map own(kVolume.voxels());
  pull_labels(s.labels.data(), s.to_atlas.data(), kVolume, kLabels, own.data());
  const auto perfect =
      image_space_dice(s.labels.data(), own.data(), s.to_atlas.data(), kVolume, kLabels);
  EXPECT_EQ(*perfect.mean, 1);
  const auto worse =
      image_space_dice(s.labels.data(), own.data(), other.to_atlas.data(), kVolume, kLabels);
  EXPECT_LT(*worse.mean, 0.95);

  Grid grid;
  grid.size = {kVolume.w, kVolume.h, kVolume.d};
  grid.spacing = {0.5, 2, 3};
  const std::vector<std::int32_t> table{0, 3, 9, 12};
  Labels atlas(grid), truth(grid);
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    atlas.values[v] = table[s.labels[v]];
    truth.values[v] = table[own[v]];
  }
  VectorImage field(grid);
  field.values = other.to_atlas;
  const auto in_mm = image_space_dice(atlas, truth, {Displacement(voxels_to_mm(field))}, table);
  EXPECT_NEAR(*in_mm.mean, *worse.mean, 1e-3);
}

}  // namespace
}  // namespace aladdin::evaluate
