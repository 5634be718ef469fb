#include "aladdin/condition/group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/image/test_files.h"
#include "aladdin/stats/test_designs.h"

namespace aladdin::condition {
namespace {

using ::aladdin::testing::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

stats::Table people() {
  return aladdin::testing::table_of({{"age", {"20", "30", "40", "50", "60", "80"}},
                                     {"sex", {"F", "M", "F", "M", "F", "F"}},
                                     {"site", {"1", "2", "1", "2", "2", "1"}},
                                     {"dose", {"7", "7", "7", "7", "7", "7"}},
                                     {"cdr", {"0", "", "1", "", "0.5", "0"}}});
}

Question at(const std::string& text, const std::string& where = "") {
  Question question;
  if (!text.empty()) question.at = parse_at(text);
  question.where = where;
  return question;
}

TEST(Group, EverybodyCountsWhereNothingIsAsked) {
  const Group group = find_group({}, people());
  EXPECT_EQ(group.members.size(), 6U);
  EXPECT_THAT(group.numbers, IsEmpty());
  EXPECT_THAT(group.names, ElementsAre("everybody"));
}

TEST(Group, CategoriesKeepTheirSubjectsAndNumbersAreCoordinates) {
  const Group group = find_group(at("age=45,sex=F", "age>20"), people());
  EXPECT_THAT(group.members, ElementsAre(2, 4, 5));
  EXPECT_THAT(group.numbers, ElementsAre("age"));
  EXPECT_EQ(group.x(2, 0), 80);
  EXPECT_EQ(group.points[0][0], 45);
  EXPECT_THAT(group.names, ElementsAre("age=45,sex=F where age>20"));
}

TEST(Group, NumbersMayBeCategories) {
  EXPECT_THAT(find_group(at("C(site)=2"), people()).members, ElementsAre(1, 3, 4));
}

TEST(Group, SweepHasOnePointEach) {
  Question question = at("sex=F");
  question.sweep = parse_sweep("age=30:70:20");
  const Group group = find_group(question, people());
  ASSERT_EQ(group.points.size(), 3U);
  EXPECT_EQ(group.points[2][0], 70);
  EXPECT_THAT(group.folders, ElementsAre("age-30", "age-50", "age-70"));
}

TEST(Group, MissingValuesAreAnErrorOrLeftOut) {
  EXPECT_THAT(error_of([] { find_group(at("cdr=0.4"), people()); }),
              HasSubstr("2 subjects have no value of 'cdr': s2, s4"));
  Question question = at("cdr=0.4");
  question.drop_missing = true;
  const Group group = find_group(question, people());
  EXPECT_THAT(group.members, ElementsAre(0, 2, 4, 5));
  EXPECT_EQ(group.dropped, 2U);
}

TEST(Group, BeyondTheRangeIsRefusedUnlessAskedFor) {
  EXPECT_THAT(error_of([] { find_group(at("age=90"), people()); }),
              HasSubstr("age=90 is outside the range of the 6 subjects behind it, 20 to 80"));
  EXPECT_THAT(error_of([] { find_group(at("age=25", "sex=M"), people()); }), HasSubstr("30 to 50"));
  Question question = at("age=90");
  question.extrapolate = true;
  EXPECT_EQ(find_group(question, people()).points[0][0], 90);
}

TEST(Group, SaysInOneSentenceWhatCannotBeAnswered) {
  for (const auto& [question, expected] : std::vector<std::pair<Question, std::string>>{
           {at("aeg=70"), "there is no covariate 'aeg'"},
           {at("sex=W"), "no subject has sex=W; there are F, M"},
           {at("age=old"), "'age' is a number, and 'old' is none"},
           {at("dose=7"), "'dose' is 7 for every subject of the group"},
           {at("", "age>70"), "only one training subject has age>70: 's6'"},
           {at("", "age>80"), "no training subject has age>80"},
           {at("sex=M", "site=1"), "no training subject has site=1 and sex=M"}})
    EXPECT_THAT(error_of([&, asked = question] { find_group(asked, people()); }),
                HasSubstr(expected));
  Question twice = at("age=50");
  twice.sweep = parse_sweep("age=30:70:20");
  EXPECT_THAT(error_of([&] { find_group(twice, people()); }),
              HasSubstr("both fixed by at and swept"));
  Question category;
  category.sweep = parse_sweep("sex=1:2:1");
  EXPECT_THAT(error_of([&] { find_group(category, people()); }), HasSubstr("nothing to sweep"));
}

}  // namespace
}  // namespace aladdin::condition
