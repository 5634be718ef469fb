#include "aladdin/stats/formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "aladdin/image/test_files.h"

namespace aladdin::stats {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string normal(const std::string& text) { return parse_formula(text).text(); }

TEST(Formula, SumsProductsAndPowersAreThoseOfR) {
  EXPECT_EQ(normal("1"), "1");
  EXPECT_EQ(normal("age"), "1 + age");
  EXPECT_EQ(normal(" 1+age  + sex "), "1 + age + sex");
  EXPECT_EQ(normal("age:sex"), "1 + age:sex");
  EXPECT_EQ(normal("age*sex"), "1 + age + sex + age:sex");
  EXPECT_EQ(normal("a*b*c"), "1 + a + b + a:b + c + a:c + b:c + a:b:c");
  EXPECT_EQ(normal("age + age ^ 2"), "1 + age + age^2");
  EXPECT_EQ(normal("C(site)"), "1 + site");
  EXPECT_EQ(normal("`body mass` + größe + a.b_2"), "1 + body mass + größe + a.b_2");
}

TEST(Formula, ATermThatIsWrittenTwiceCountsOnce) {
  EXPECT_EQ(normal("age + age*sex + sex"), normal("age*sex"));
}

TEST(Formula, OnlyCMakesACategory) {
  const Formula formula = parse_formula("C(site) + age");
  EXPECT_TRUE(formula.terms[0].factors[0].category);
  EXPECT_FALSE(formula.terms[1].factors[0].category);
}

TEST(Formula, WithoutACovariateHasNoTermThatUsesIt) {
  const Formula formula = parse_formula("age*sex + total");
  EXPECT_TRUE(formula.uses("sex"));
  EXPECT_FALSE(formula.uses("se"));
  EXPECT_EQ(formula.without("sex").text(), "1 + age + total");
}

TEST(Formula, WhatCannotBeReadIsShown) {
  for (const auto& [text, rest, expected] :
       std::vector<std::array<std::string, 3>>{{"", "its end", "the name of a covariate"},
                                               {"age +", "its end", "the name of a covariate"},
                                               {"age ++ sex", "+ sex", "the name of a covariate"},
                                               {"age - sex", "- sex", "'+', ':' or '*'"},
                                               {"age sex", "sex", "'+', ':' or '*'"},
                                               {"2age", "2age", "the name of a covariate"},
                                               {"age^5", "5", "a power of 2, 3 or 4"},
                                               {"C(site", "its end", "')'"},
                                               {"`age", "age", "a closing '`'"}}) {
    const std::string error = testing::error_of([&] { parse_formula(text); });
    EXPECT_THAT(error, AllOf(HasSubstr("'" + text + "' cannot be read at '" + rest + "'"),
                             HasSubstr("expected " + expected), HasSubstr("a model looks like")));
  }
}

}  // namespace
}  // namespace aladdin::stats
