#include "aladdin/optimise/mismatch.h"

#include <gtest/gtest.h>

#include "aladdin/core/error.h"

namespace aladdin {

TEST(Mismatch, OneFarFromTheOthersIsPoorAndWeighsNothing) {
  const std::vector<double> cohort{.30, .31, .33, .29, .32, .70};
  const Mismatches all(cohort);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_FALSE(all.is_poor(cohort[i]));
    EXPECT_EQ(all.weight(cohort[i]), 1);
  }
  EXPECT_TRUE(all.is_poor(.70));
  EXPECT_EQ(all.weight(.70), 0);
}

TEST(Mismatch, TheWeightFallsWithoutAJump) {
  const Mismatches all(std::vector<double>{1, 1, 1, 1, 1});  // spread 0.1
  EXPECT_NEAR(all.weight(1.4), 1, 1e-9);
  EXPECT_NEAR(all.weight(1.5), 0.5, 1e-9);
  EXPECT_NEAR(all.weight(1.6), 0, 1e-9);
  EXPECT_EQ(all.weight(0.1), 1);  // better than the others is not poor
}

TEST(Mismatch, EqualSubjectsArePoorOnlyBeyondATenthOfTheMedian) {
  const Mismatches all(std::vector<double>{.2, .2, .2, .2, .2});
  EXPECT_FALSE(all.is_poor(.31));
  EXPECT_TRUE(all.is_poor(.33));
  const Mismatches few(std::vector<double>{.2, .2, .2, .2});
  EXPECT_FALSE(few.is_poor(5));
  EXPECT_EQ(few.weight(5), 1);
}

TEST(Mismatch, TextGivesTheSameBack) {
  const Mismatches all(std::vector<double>{.30, .31, .35, .29, .33});
  const Mismatches back(all.text());
  EXPECT_NEAR(back.median(), all.median(), 1e-9);
  EXPECT_NEAR(back.spread(), all.spread(), 1e-9);
  for (const char* bad : {"", "1", "a b", "1 0", "1 -1", "nan 1", "1 2 3"})
    EXPECT_THROW(Mismatches{std::string(bad)}, Error) << bad;
}

}  // namespace aladdin
