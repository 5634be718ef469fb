#include "aladdin/condition/point.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/image/test_files.h"

namespace aladdin::condition {
namespace {

using ::aladdin::testing::error_of;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Point, HasNumbersAndCategories) {
  const auto at = parse_at("age=70, sex=F,C(site)=2, `odd name`='a, b'");
  ASSERT_EQ(at.size(), 4U);
  EXPECT_EQ(at[0].name, "age");
  EXPECT_EQ(at[0].value, "70");
  EXPECT_EQ(at[1].value, "F");
  EXPECT_TRUE(at[2].category);
  EXPECT_EQ(at[2].name, "site");
  EXPECT_FALSE(at[1].category);
  EXPECT_EQ(at[3].name, "odd name");
  EXPECT_EQ(at[3].value, "a, b");
}

TEST(Point, SweepHasBothEndsWhereTheStepMeetsThem) {
  EXPECT_THAT(parse_sweep("age=20:30:5").values, ElementsAre(20, 25, 30));
  EXPECT_THAT(parse_sweep("age=20:29:5").values, ElementsAre(20, 25));
  EXPECT_EQ(parse_sweep("t=0:.3:.1").values.size(), 4U);  // .1 is no binary fraction
  EXPECT_THAT(parse_sweep("x=-1:1:2").values, ElementsAre(-1, 1));
}

TEST(Point, BandwidthIsOneNumberOrOneForEach) {
  EXPECT_EQ(parse_bandwidth("5")[0].name, "");
  EXPECT_EQ(parse_bandwidth("5")[0].value, 5);
  EXPECT_EQ(parse_bandwidth("age=5,etiv=100")[1].value, 100);
}

TEST(Point, SaysInOneSentenceWhatIsWrong) {
  const auto says = [](const auto& parse, const std::string& text, const std::string& expected) {
    EXPECT_THAT(error_of([&] { parse(text); }), HasSubstr(expected)) << text;
  };
  says(parse_at, "", "expected the name of a covariate");
  says(parse_at, "age", "expected '='");
  says(parse_at, "age=", "expected a value");
  says(parse_at, "age=70,,", "expected the name of a covariate");
  says(parse_at, "age=7,age=8", "names 'age' twice");
  says(parse_at, "C(site=2", "expected ')'");
  says(parse_at, "site='a", "expected a closing quote");
  says(parse_sweep, "age=20:90", "expected FROM:TO:STEP");
  says(parse_sweep, "age=20:90:a", "three numbers");
  says(parse_sweep, "age=90:20:5", "has no two values");
  says(parse_sweep, "age=20:90:0", "has no two values");
  says(parse_sweep, "age=20:90:.001", "expected at most 500");
  says(parse_bandwidth, "0", "is no number above 0");
  says(parse_bandwidth, "age=x", "'x' is no number above 0");
}

}  // namespace
}  // namespace aladdin::condition
