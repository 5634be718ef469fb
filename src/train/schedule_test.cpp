#include "aladdin/train/schedule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "aladdin/config/presets.h"

namespace aladdin {
namespace {

TEST(Schedule, FractionsRiseFromZeroToOneWithoutGaps) {
  for (const int dims : {2, 3}) {
    Config all;
    TrainConfig& config = all.train;
    config.epochs = {3, 5, 2};
    const Schedule schedule(all, dims);
    double before = -1;
    for (std::size_t s = 0; s < 3; ++s) {
      const Stage& stage = schedule.stages()[s];
      EXPECT_DOUBLE_EQ(schedule.fraction(s, 0, 0), stage.begin);
      EXPECT_DOUBLE_EQ(schedule.fraction(s, stage.epochs, 0), stage.end);
      if (s > 0) {
        EXPECT_EQ(stage.begin, schedule.stages()[s - 1].end);
      }
      for (int epoch = 0; epoch < stage.epochs; ++epoch) {
        EXPECT_DOUBLE_EQ(schedule.fraction(s, epoch, 1), schedule.fraction(s, epoch + 1, 0));
        for (const double part : {0.25, 0.75}) {
          EXPECT_GT(schedule.fraction(s, epoch, part), before);
          before = schedule.fraction(s, epoch, part);
        }
      }
    }
    EXPECT_EQ(schedule.fraction(0, 0, 0), 0);
    EXPECT_EQ(schedule.fraction(2, 2, 0), 1);
  }
}

TEST(Schedule, AnEpochCountsTheVoxelsOfItsPassesAndALittle) {
  Config all;
  TrainConfig& config = all.train;
  config.engine = Engine::learn;
  config.epochs = {10, 10, 10};
  const auto share = [&](int dims, std::size_t s) {
    const Stage stage = Schedule(all, dims).stages()[s];
    return stage.end - stage.begin;
  };
  for (const int dims : {2, 3}) {
    const double fixed = 0.04, quarter = std::pow(4, -dims) + fixed,
                 half = std::pow(2, -dims) + quarter;
    all.network.passes = {4, 2, 1};
    EXPECT_NEAR(share(dims, 2) / share(dims, 1), (1 + half) / half, 1e-9);
    EXPECT_NEAR(share(dims, 2) / share(dims, 0), (1 + half) / quarter, 1e-9);
    all.network.passes = {4, 2, 1, 1};
    EXPECT_NEAR(share(dims, 2) / share(dims, 1), (2 + half) / half, 1e-9);
    all.train.engine = Engine::optimise;  // which has no passes
    EXPECT_NEAR(share(dims, 2) / share(dims, 0), (1 + fixed) / quarter, 1e-9);
    all.train.engine = Engine::learn;
  }
}

TEST(Schedule, CosineRisesThenFallsToZero) {
  Config all;
  TrainConfig& config = all.train;
  config.rate = 2e-3;
  config.warmup = 0.1;
  const Schedule schedule(all, 3);
  EXPECT_GT(schedule.rate(0), 0);  // else the first steps were wasted
  EXPECT_LT(schedule.rate(0), 0.1 * config.rate);
  for (double f = 0; f < 0.09; f += 0.01) EXPECT_LT(schedule.rate(f), schedule.rate(f + 0.01));
  for (double f = 0.1; f < 1; f += 0.01) {
    EXPECT_NEAR(schedule.rate(f), 1e-3 * (1 + std::cos(std::numbers::pi * f)), 1e-12);
    EXPECT_GT(schedule.rate(f), schedule.rate(f + 0.01));
  }
  EXPECT_NEAR(schedule.rate(1), 0, 1e-15);
  config.warmup = 0;
  EXPECT_DOUBLE_EQ(Schedule(all, 3).rate(0), 2e-3);
}

TEST(Schedule, MultistepOfThePaperDropsAt300And420Of500Epochs) {
  const Schedule schedule(preset("paper"), 3);
  ASSERT_EQ(schedule.stages().size(), 1U);
  const auto rate = [&](int epoch) { return schedule.rate(schedule.fraction(0, epoch, 0)); };
  EXPECT_DOUBLE_EQ(rate(0), 1e-4);
  EXPECT_DOUBLE_EQ(rate(299), 1e-4);
  EXPECT_DOUBLE_EQ(rate(300), 1e-5);
  EXPECT_DOUBLE_EQ(rate(419), 1e-5);
  EXPECT_NEAR(rate(420), 1e-6, 1e-18);
  EXPECT_NEAR(rate(499), 1e-6, 1e-18);
}

TEST(Schedule, ConstantStays) {
  Config all;
  TrainConfig& config = all.train;
  config.schedule = RateSchedule::constant;
  for (const double f : {0.0, 0.3, 1.0}) EXPECT_EQ(Schedule(all, 2).rate(f), config.rate);
}

TEST(Schedule, ABudgetOfTime) {
  Config all;
  TrainConfig& config = all.train;
  EXPECT_FALSE(Schedule(all, 3).timed());
  config.minutes = 2;
  const Schedule schedule(all, 3);
  EXPECT_TRUE(schedule.timed());
  EXPECT_EQ(schedule.fraction_of_time(0), 0);
  EXPECT_DOUBLE_EQ(schedule.fraction_of_time(30), 0.25);
  EXPECT_EQ(schedule.fraction_of_time(1000), 1);
}

TEST(Schedule, TheAtlasStaysInTheLastPart) {
  Config all;
  TrainConfig& config = all.train;
  config.last = 0.25;
  EXPECT_FALSE(Schedule(all, 3).atlas_is_final(0.7499));
  EXPECT_TRUE(Schedule(all, 3).atlas_is_final(0.75));
}

}  // namespace
}  // namespace aladdin
