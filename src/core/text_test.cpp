#include "aladdin/core/text.h"

#include <gtest/gtest.h>

#include "aladdin/core/error.h"

namespace aladdin {

TEST(Text, NearestNameIsNearOrNothing) {
  const std::vector<std::string> names{"--threads", "--like", "--interp"};
  EXPECT_EQ(nearest_name("--thread", names), "--threads");
  EXPECT_EQ(nearest_name("--lkie", names), "--like");
  EXPECT_EQ(nearest_name("--verbose-output", names), std::nullopt);
  EXPECT_EQ(did_you_mean("--interpp", names), "did you mean '--interp'?");
}

TEST(Text, NumbersMustBeWhole) {
  EXPECT_EQ(parse_number("-1.5e3"), -1500.0);
  EXPECT_EQ(parse_number("+2"), 2.0);
  for (const char* wrong : {"", "1mm", "nan", "inf", "1 ", "--2"})
    EXPECT_EQ(parse_number(wrong), std::nullopt) << wrong;
  EXPECT_EQ(parse_integer("12"), 12);
  EXPECT_EQ(parse_integer("12.5"), std::nullopt);
}

TEST(Text, CsvKeepsQuotedCommasQuotesAndLineBreaks) {
  const auto rows = parse_csv("\xEF\xBB\xBFid,note\r\n1,\"a, \"\"b\"\"\nc\"\n\n2,\n");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"id", "note"}));
  EXPECT_EQ(rows[1], (std::vector<std::string>{"1", "a, \"b\"\nc"}));
  EXPECT_EQ(rows[2], (std::vector<std::string>{"2", ""}));
  EXPECT_THROW(parse_csv("a,\"b"), Error);
}

TEST(Text, ACsvFieldSurvivesTheRoundTrip) {
  for (const std::string text : {"plain", "a,b", "say \"hi\"", "two\nlines"})
    EXPECT_EQ(parse_csv(csv_field(text) + "\n").at(0).at(0), text);
}

TEST(Text, OneIsSingular) {
  EXPECT_EQ(counted(0, "knee"), "0 knees");
  EXPECT_EQ(counted(1, "knee"), "1 knee");
  EXPECT_EQ(counted(2, "knee"), "2 knees");
}

TEST(Text, SplitAndTrim) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(trim("  x y\t\n"), "x y");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(lower("Sub-AZ_\xC3\x84"), "sub-az_\xC3\x84");
}

TEST(Text, OneLineHasNoControlCharactersAndAnEnd) {
  EXPECT_EQ(one_line("a b"), "a b");
  EXPECT_EQ(one_line("b,c3\nb\t"), "b,c3?b?");
  EXPECT_EQ(one_line(std::string(100, 'x')), std::string(60, 'x') + "…");
}

}  // namespace aladdin
