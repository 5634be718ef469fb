#include "aladdin/stats/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/image/test_files.h"

namespace aladdin::stats {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TableFile : public ::testing::Test {
 protected:
  Table read(const std::string& text) {
    testing::write_bytes(folder_ / "t.csv", text);
    return read_table(folder_ / "t.csv");
  }
  std::string refusal(const std::string& text) {
    return testing::error_of([&] { read(text); });
  }
  testing::TemporaryFolder folder_;
};

TEST_F(TableFile, IsReadByItsIds) {
  const Table table = read("age, ID ,\"site, no\"\n 31,b,x\n,a,\"y\"\n");
  EXPECT_THAT(table.ids, ElementsAre("b", "a"));
  EXPECT_THAT(table.names(), ElementsAre("age", "site, no"));
  EXPECT_THAT(table.column("age"), ElementsAre("31", ""));
}

TEST_F(TableFile, WhatIsWrongWithItIsSaid) {
  EXPECT_THAT(refusal(""), HasSubstr("is empty; expected a CSV with a column 'id'"));
  EXPECT_THAT(refusal("subject,age\na,3\n"),
              HasSubstr("has no column 'id'; its columns are subject, age"));
  EXPECT_THAT(refusal("id,age\n"), HasSubstr("has a header and no subjects"));
  EXPECT_THAT(refusal("id,age\na,3\na,4\n"), HasSubstr("has two lines for the subject 'a'"));
  EXPECT_THAT(refusal("id,age,age\na,3,4\n"), HasSubstr("has two columns 'age'"));
  EXPECT_THAT(refusal("id,age\na,3,4\n"), HasSubstr("has 3 fields, its header 2"));
}

TEST_F(TableFile, RowsAreChosenInTheOrderAsked) {
  const Table table = read("id,age\na,1\nb,2\nc,3\n");
  const Table chosen = select_rows(table, {"c", "a"});
  EXPECT_THAT(chosen.column("age"), ElementsAre("3", "1"));
  EXPECT_THAT(testing::error_of([&] { select_rows(table, {"d"}); }),
              HasSubstr("no line for the subject 'd'"));
}

TEST_F(TableFile, AnUnknownColumnNamesThoseThatAre) {
  const Table table = read("id,age,sex\na,1,F\n");
  EXPECT_THAT(testing::error_of([&] { table.column("agee"); }),
              AllOf(HasSubstr("expected one of age, sex"), HasSubstr("did you mean")));
  EXPECT_THAT(testing::error_of([&] { Table{}.column("age"); }), HasSubstr("no covariate 'age'"));
}

}  // namespace
}  // namespace aladdin::stats
