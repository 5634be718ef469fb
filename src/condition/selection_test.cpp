#include "aladdin/condition/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/image/test_files.h"
#include "aladdin/stats/test_designs.h"

namespace aladdin::condition {
namespace {

using ::aladdin::testing::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

stats::Table people() {
  return aladdin::testing::table_of({{"age", {"20", "61", "70", "80"}},
                                     {"sex", {"F", "F", "M", "F"}},
                                     {"old site", {"A 1", "B", "B", "A 1"}},
                                     {"cdr", {"", "0", "0.5", ""}}});
}

std::vector<bool> holds(const std::string& condition) {
  return select_subjects(condition, people()).holds;
}

TEST(Selection, ComparesNumbersAsNumbersAndTextAsText) {
  EXPECT_THAT(holds("sex=F and age>60"), ElementsAre(false, true, false, true));
  EXPECT_THAT(holds("age>=61 and age<80.0"), ElementsAre(false, true, true, false));
  EXPECT_THAT(holds("age==8e1"), ElementsAre(false, false, false, true));
  EXPECT_THAT(holds("sex!=F"), ElementsAre(false, false, true, false));
  EXPECT_THAT(holds("`old site`='A 1'"), ElementsAre(true, false, false, true));
}

TEST(Selection, AndBindsTighterThanOrAndParenthesesTighterStill) {
  EXPECT_THAT(holds("sex=M or sex=F and age<30"), ElementsAre(true, false, true, false));
  EXPECT_THAT(holds("(sex=M or sex=F) and age<30"), ElementsAre(true, false, false, false));
  EXPECT_THAT(holds("not (age<30 or age>75)"), ElementsAre(false, true, true, false));
  EXPECT_THAT(holds("NOT sex=F AND age<=70"), ElementsAre(false, false, true, false));
}

TEST(Selection, NamesWhatItAsksFor) {
  EXPECT_THAT(names_in("sex=F and (age>60 or sex=M)"), ElementsAre("sex", "age"));
}

TEST(Selection, SaysInOneSentenceWhatIsWrong) {
  for (const auto& [condition, expected] : std::vector<std::pair<std::string, std::string>>{
           {"", "cannot be read at 'its end': expected the name of a covariate"},
           {"age", "at 'its end': expected =, !=, <, <=, > or >="},
           {"age>", "at 'its end': expected a value"},
           {"age>60 sex=F", "at 'sex=F': expected 'and', 'or' or the end"},
           {"(age>60", "expected ')'"},
           {std::string(100000, '('), "fewer parentheses"},
           {"sex='F", "expected a closing quote"},
           {"agee>60", "there is no covariate 'agee'"},
           {"age>old", "'age' is a number, and 'old' is none"},
           {"sex>F", "'sex' is a category and has no order"},
           {"sex=f", "no subject has sex=f; there are F, M"},
           {"cdr>0", "2 subjects have no value of 'cdr': s1, s4"}})
    EXPECT_THAT(error_of([&, text = condition] { holds(text); }), HasSubstr(expected)) << condition;
}

}  // namespace
}  // namespace aladdin::condition
