#include "aladdin/stats/correction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "aladdin/core/rng.h"
#include "aladdin/image/test_files.h"

namespace aladdin::stats {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;

TEST(FalseDiscoveryRate, OfAnExampleByHand) {
  const std::vector<float> p{.01F, .04F, .03F, .005F};
  EXPECT_THAT(false_discovery_rate(p), ElementsAre(FloatNear(.02F, 1e-7F), FloatNear(.04F, 1e-7F),
                                                   FloatNear(.04F, 1e-7F), FloatNear(.02F, 1e-7F)));
  EXPECT_TRUE(false_discovery_rate({}).empty());
}

// p is rejected at q if and only if Benjamini and Hochberg's procedure at level q rejects it.
TEST(FalseDiscoveryRate, RejectsWhatTheProcedureRejects) {
  Rng rng(4);
  std::vector<float> p(60);
  for (float& value : p) value = static_cast<float>(std::pow(rng.uniform(), 2.5));
  p[7] = p[8];
  const auto corrected = false_discovery_rate(p);
  for (const double q : {.01, .05, .2, .7}) {
    auto sorted = p;
    std::sort(sorted.begin(), sorted.end());
    float limit = -1;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      if (sorted[i] <= q * static_cast<double>(i + 1) / 60) limit = sorted[i];
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_EQ(corrected[i] <= q, p[i] <= limit);
  }
}

TEST(NullMaxima, PCountsTheShufflesAndTheDataItself) {
  const NullMaxima null({5, 1, 3, 2, 4, 3, 2, 1, 2}, Tail::empirical);
  EXPECT_DOUBLE_EQ(null.p(9), .1);
  EXPECT_DOUBLE_EQ(null.p(-4), .3);
  EXPECT_DOUBLE_EQ(null.p(3), .5);
  EXPECT_DOUBLE_EQ(null.p(0), 1);
}

std::vector<float> draws(std::size_t count, double (*quantile)(double)) {
  Rng rng(12);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(quantile(rng.uniform()));
  return values;
}

// Largest of 1,000 exponential values: its tail is 1000 exp(-x).
double gumbel(double u) { return std::log(1000.0) - std::log(-std::log(u)); }

TEST(NullMaxima, AFittedTailGoesOnBelowWhatWasCounted) {
  const auto maxima = draws(2000, gumbel);
  for (const Tail tail : {Tail::gamma, Tail::pareto}) {
    const NullMaxima null(maxima, tail);
    for (const double truth : {.05, .01, .001, .0001}) {
      const double p = null.p(gumbel(1 - truth));
      EXPECT_GT(p, truth / 4) << truth;
      EXPECT_LT(p, truth * 4) << truth;
    }
    double before = 1;
    for (double x = 0; x < 40; x += .1) {
      EXPECT_LE(null.p(x), before + 1e-3) << "p falls as the statistic grows";
      before = null.p(x);
    }
  }
}

TEST(NullMaxima, WithoutASpreadThereIsNoTailToFit) {
  EXPECT_DOUBLE_EQ(NullMaxima(std::vector<float>(199, 2), Tail::gamma).p(3), 1 / 200.0);
}

TEST(NullMaxima, FewPermutationsHaveNoTailToFit) {
  EXPECT_THAT(testing::error_of([] { NullMaxima(std::vector<float>(50, 1), Tail::pareto); }),
              HasSubstr("50 permutations are too few to fit a tail; expected at least 100"));
  EXPECT_THAT(testing::error_of([] { parse_tail("normal"); }),
              HasSubstr("expected empirical, gamma or pareto"));
}

}  // namespace
}  // namespace aladdin::stats
