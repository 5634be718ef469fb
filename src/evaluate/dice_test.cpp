#include "aladdin/evaluate/dice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/core/error.h"

namespace aladdin::evaluate {
namespace {

using Map = std::vector<LabelIndex>;

DiceScores dice_of(const Map& predicted, const Map& truth, int labels) {
  return dice(predicted.data(), truth.data(), static_cast<std::int64_t>(truth.size()), labels);
}

TEST(Dice, IsTwiceTheSharedOverTheSum) {
  const auto scores = dice_of({0, 1, 1, 1, 2, 2}, {1, 1, 1, 0, 0, 2}, 3);
  EXPECT_FALSE(scores.of[0]);
  EXPECT_DOUBLE_EQ(*scores.of[1], 2 * 2 / 6.0);
  EXPECT_DOUBLE_EQ(*scores.of[2], 2 * 1 / 3.0);
  EXPECT_DOUBLE_EQ(*scores.mean, 2 / 3.0);
}

TEST(Dice, AStructureOfNeitherHasNoValueAndOneOfOnlyOneHasNone) {
  const auto scores = dice_of({1, 2, 0, 0}, {1, 0, 0, 3}, 5);
  EXPECT_EQ(scores.of[2], 0.0);  // only predicted: not in the subject's mean
  EXPECT_EQ(scores.of[3], 0.0);  // missed: in it
  EXPECT_FALSE(scores.of[4]);
  EXPECT_DOUBLE_EQ(*scores.mean, 0.5);
}

TEST(Dice, OfBackgroundAloneHasNoMean) { EXPECT_FALSE(dice_of({0, 0, 1}, {0, 0, 0}, 2).mean); }

TEST(Dice, SummaryCountsOnlyValues) {
  const DiceScores subjects[] = {dice_of({1, 1, 0}, {1, 1, 0}, 3),
                                 dice_of({1, 0, 2}, {1, 1, 2}, 3)};
  const auto summary = summarise(subjects);
  EXPECT_EQ(summary.of[0].count, 0);
  EXPECT_EQ(summary.of[1].count, 2);
  EXPECT_DOUBLE_EQ(summary.of[1].mean, (1 + 2 / 3.0) / 2);
  EXPECT_NEAR(summary.of[1].sd, (1 / 3.0) / std::sqrt(2.0), 1e-12);
  EXPECT_EQ(summary.of[2].count, 1);
  EXPECT_EQ(summary.of[2].sd, 0);
  EXPECT_DOUBLE_EQ(summary.mean.mean, (1 + 5 / 6.0) / 2);
  EXPECT_EQ(summarise({}).mean.count, 0);
}

TEST(Dice, AnIndexBeyondTheLabelsThrows) {
  EXPECT_THROW(dice_of({0, 3}, {0, 1}, 3), Error);
  EXPECT_THROW(dice_of({0, 1}, {0, 3}, 3), Error);
}

TEST(IndexLabels, LooksUpTheTableAndNamesWhatIsNotThere) {
  Grid grid;
  grid.size = {4, 1, 1};
  Labels labels(grid);
  labels.values = {7, 0, 300, 7};
  EXPECT_THAT(index_labels(labels, {0, 7, 300}), testing::ElementsAre(1, 0, 2, 1));
  try {
    index_labels(labels, {0, 7});
    FAIL() << "300 is not in the table";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("300"));
  }
}

}  // namespace
}  // namespace aladdin::evaluate
