#include "aladdin/report/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace aladdin::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Chart, TicksAreRoundAndInside) {
  EXPECT_THAT((Scale{{0, 1}}).ticks(5), ElementsAre(0, 0.2, testing::DoubleNear(0.4, 1e-12),
                                                    testing::DoubleNear(0.6, 1e-12), 0.8, 1));
  EXPECT_THAT((Scale{{-3, 42}}).ticks(5), ElementsAre(0, 10, 20, 30, 40));
  const auto powers = (Scale{{0.5, 2000}, true}).ticks(5);
  EXPECT_THAT(powers, ElementsAre(1, 10, 100, 1000));
}

TEST(Chart, NoRangeIsEmpty) {
  for (const Range& range : {Range::nothing(), Range{0, 0}, Range{3, 3}, Range{-1e-9, -1e-9}}) {
    const Scale scale = scale_of(range);
    EXPECT_LT(scale.range.low, scale.range.high);
    EXPECT_FALSE(scale.ticks(5).empty());
  }
}

TEST(Chart, NumbersAreShort) {
  EXPECT_EQ(format_number(0), "0");
  EXPECT_EQ(format_number(0.25), "0.25");
  EXPECT_EQ(format_number(1e-5), "1e-5");
  EXPECT_EQ(format_number(12345), "12345");
  EXPECT_EQ(format_number(2e6), "2e6");
}

TEST(Svg, TextIsEscapedAndNotCutInsideACharacter) {
  Svg svg(10, 10, "a \"label\"");
  svg.text({1, 2}, "<b>");
  svg.circle({1, 1}, 1, "dot", "\"'&");
  EXPECT_THAT(svg.inline_text(), HasSubstr(">&lt;b&gt;</text>"));
  EXPECT_THAT(svg.inline_text(), HasSubstr("<title>&quot;&#39;&amp;</title>"));
  EXPECT_THAT(svg.inline_text(), HasSubstr("aria-label=\"a &quot;label&quot;\""));
  EXPECT_EQ(shorten("很长的名字", 3), "很长\u2026");
  EXPECT_EQ(shorten("short", 5), "short");
}

}  // namespace
}  // namespace aladdin::report
