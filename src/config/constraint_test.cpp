#include "aladdin/config/constraint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/config/choices.h"

namespace aladdin {

using Ints = std::vector<int>;
using Doubles = std::vector<double>;

TEST(Constraint, RangesHoldTheirEnds) {
  EXPECT_TRUE(between(1, 3).allows(1) && between(1, 3).allows(3));
  EXPECT_FALSE(between(1, 3).allows(0) || between(1, 3).allows(4));
  EXPECT_FALSE(more_than(0).allows(0.0));
  EXPECT_TRUE(more_than(0).allows(1e-300));
  EXPECT_TRUE(fraction().allows(0.0));
  EXPECT_FALSE(fraction().allows(1.0));
}

TEST(Constraint, NothingAllowsWhatIsNotFinite) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    EXPECT_FALSE(anything().allows(bad));
    EXPECT_FALSE(at_least(0).allows(bad));
    EXPECT_FALSE(more_than(0).allows(Doubles{1, bad}));
  }
}

TEST(Constraint, OddMeansOdd) {
  EXPECT_TRUE(odd_between(3, 9).allows(5));
  EXPECT_FALSE(odd_between(3, 9).allows(4));
  EXPECT_FALSE(odd_between(3, 9).allows(1));
}

TEST(Constraint, CoarseningDescendsByPowersOfTwoToOne) {
  for (const Ints& good : {Ints{1}, Ints{2, 1}, Ints{4, 2, 1}, Ints{8, 1}, Ints{64, 1}})
    EXPECT_TRUE(coarsening().allows(good)) << good.front();
  for (const Ints& bad : {Ints{}, Ints{2}, Ints{1, 2}, Ints{3, 1}, Ints{4, 4, 1}, Ints{1, 1},
                          Ints{4, 0, 1}, Ints{-2, 1}, Ints{128, 1}})
    EXPECT_FALSE(coarsening().allows(bad)) << (bad.empty() ? 0 : bad.front());
}

TEST(Constraint, PassesMayRepeat) {
  for (const Ints& good : {Ints{1}, Ints{4, 2, 1}, Ints{4, 2, 1, 1}, Ints{2, 2, 1}})
    EXPECT_TRUE(passes().allows(good)) << good.front();
  for (const Ints& bad : {Ints{}, Ints{1, 2}, Ints{2, 4, 1}, Ints{3, 1}, Ints{2, 2}})
    EXPECT_FALSE(passes().allows(bad)) << (bad.empty() ? 0 : bad.front());
}

TEST(Constraint, FractionsAscendInsideZeroAndOne) {
  EXPECT_TRUE(ascending_fractions().allows(Doubles{}));
  EXPECT_TRUE(ascending_fractions().allows(Doubles{0.1, 0.9}));
  for (const Doubles& bad : {Doubles{0.0}, Doubles{1.0}, Doubles{0.5, 0.5}, Doubles{0.9, 0.1}})
    EXPECT_FALSE(ascending_fractions().allows(bad)) << bad.front();
}

TEST(Constraint, AListOfSharesIsNotEmpty) {
  EXPECT_FALSE(more_than(0).allows(Doubles{}));
  EXPECT_TRUE(more_than(0).allows(Doubles{3, 1, 2}));
  EXPECT_FALSE(more_than(0).allows(Doubles{3, 0}));
}

TEST(Constraint, SaysWhatItExpects) {
  EXPECT_EQ(between(1, 3).text(), "1 to 3");
  EXPECT_EQ(between(1, 1e6).text(), "1 to 1000000");
  EXPECT_EQ(at_least(0).text(), "at least 0");
  EXPECT_EQ(fraction().text(), "at least 0 and less than 1");
  EXPECT_EQ(odd_between(3, 99).text(), "odd, 3 to 99");
  EXPECT_EQ(one_of<RateSchedule>().text(), "constant, multistep or cosine");
  EXPECT_EQ(ascending_fractions().text(), "ascending, each more than 0 and less than 1");
  EXPECT_EQ(anything().text(), "");
}

}  // namespace aladdin
