#include "aladdin/evaluate/significance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/core/error.h"

namespace aladdin::evaluate {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

SignedRank test(const std::vector<double>& differences) {
  const std::vector<double> zeros(differences.size(), 0.0);
  return signed_rank_test(differences, zeros);
}

// 2 of the 2^n signs are as far out.
TEST(SignedRank, OfDifferencesThatAllPointOneWayIsTwoOfAllSigns) {
  EXPECT_DOUBLE_EQ(test({1, 2, 3, 4, 5}).p, 2.0 / 32);
  EXPECT_DOUBLE_EQ(test({-1, -2, -3, -4, -5, -6}).p, 2.0 / 64);
}

// Subsets of {1, 2, 3, 4} with a sum of at most 4: 7 of 16.
TEST(SignedRank, CountsTheSubsetsOfRanks) {
  const auto result = test({1, 2, 3, -4});
  EXPECT_EQ(result.w, 6);
  EXPECT_DOUBLE_EQ(result.p, 14.0 / 16);
}

// Ranks 1.5, 1.5, 3, W = 1.5 by one of two: sums of at most 1.5 are 0, 1.5, 1.5, 3 of 8 subsets.
TEST(SignedRank, EqualDifferencesShareTheirRank) {
  const auto result = test({2, -2, -5});
  EXPECT_EQ(result.w, 1.5);
  EXPECT_DOUBLE_EQ(result.p, 6.0 / 8);
}

TEST(SignedRank, DropsPairsWithoutADifference) {
  const auto result = test({0, 1, 2, 0, 3, 4, 5});
  EXPECT_EQ(result.pairs, 5);
  EXPECT_DOUBLE_EQ(result.p, 2.0 / 32);
  EXPECT_EQ(test({0, 0}).p, 1);
  EXPECT_EQ(test({}).p, 1);
}

TEST(SignedRank, IsTheSameFromBothSides) {
  const std::vector<double> a{0.81, 0.79, 0.9, 0.6}, b{0.8, 0.81, 0.85, 0.5};
  EXPECT_EQ(signed_rank_test(a, b).p, signed_rank_test(b, a).p);
}

// The two formulas meet: one pair more than the exact one takes changes p by little.
TEST(SignedRank, TheNormalApproximationIsCloseToTheExactOne) {
  std::vector<double> differences;
  for (int i = 1; i <= kMostExact; ++i) differences.push_back(i % 5 < 2 ? -i : i);
  const double exact = test(differences).p;
  differences.push_back(0.5);  // the smallest rank
  const double normal = test(differences).p;
  EXPECT_LT(exact, 0.05);
  EXPECT_GT(exact, 1e-6);
  EXPECT_NEAR(normal / exact, 1, 0.15);
}

TEST(SignedRank, RefusesUnpairedValues) {
  const std::vector<double> one{1}, two{1, 2};
  EXPECT_THROW(signed_rank_test(one, two), Error);
}

TEST(Holm, MultipliesByTheTestsThatAreLeftAndNeverFalls) {
  const std::vector<double> p{0.01, 0.04, 0.03};
  EXPECT_THAT(holm(p), ElementsAre(DoubleNear(0.03, 1e-15), DoubleNear(0.06, 1e-15),
                                   DoubleNear(0.06, 1e-15)));
  const std::vector<double> large{0.9, 0.6};
  EXPECT_THAT(holm(large), ElementsAre(1.0, 1.0));
}

}  // namespace
}  // namespace aladdin::evaluate
