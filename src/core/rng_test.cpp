#include "aladdin/core/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace aladdin {

TEST(Rng, SameSeedSameNumbersOtherStreamOtherNumbers) {
  Rng a(7, 3), b(7, 3), c(7, 4), d(8, 3);
  EXPECT_EQ(a.bits(), b.bits());
  const auto next = a.bits();
  EXPECT_NE(next, c.bits());
  EXPECT_NE(next, d.bits());
}

TEST(Rng, NormalHasUnitVariance) {
  Rng rng(1);
  double sum = 0, squares = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = rng.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 0.01);
  EXPECT_NEAR(squares / kDraws, 1.0, 0.02);
}

TEST(Rng, BelowReachesEveryValueEvenly) {
  Rng rng(2);
  std::vector<int> counts(7, 0);
  for (int i = 0; i < 70000; ++i) ++counts[rng.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
}

}  // namespace aladdin
