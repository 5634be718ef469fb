#include "aladdin/stats/design.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/image/test_files.h"
#include "aladdin/stats/test_designs.h"

namespace aladdin::stats {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Table people() {
  return testing::table_of({{"age", {"20", "30", "40", "50", "60", "80"}},
                            {"years", {"20", "30", "40", "50", "60", "80"}},
                            {"sex", {"F", "M", "F", "M", "M", "F"}},
                            {"group", {"b", "a", "c", "a", "b", "c"}},
                            {"site", {"1", "2", "1", "2", "2", "1"}},
                            {"scanner", {"3T", "3T", "3T", "3T", "3T", "3T"}},
                            {"dose", {"7", "7", "7", "7", "7", "7"}},
                            {"cdr", {"0", "", "1", "", "0.5", "0"}}});
}

Eigen::VectorXd column(const Design& design, const std::string& name) {
  const auto at = std::find(design.columns.begin(), design.columns.end(), name);
  EXPECT_NE(at, design.columns.end()) << name;
  return design.matrix.col(at - design.columns.begin());
}

TEST(Design, NumbersAreCentredAndPowersAreThoseOfTheCentred) {
  const Design design = testing::design_of("age + age^2", people());
  EXPECT_THAT(design.columns, ElementsAre("intercept", "age", "age^2"));
  EXPECT_EQ(column(design, "intercept").minCoeff(), 1);
  EXPECT_NEAR(column(design, "age").sum(), 0, 1e-12);
  EXPECT_NEAR(column(design, "age")[5], 80 - 280 / 6.0, 1e-12);
  EXPECT_TRUE(column(design, "age^2").isApprox(column(design, "age").cwiseAbs2()));
}

TEST(Design, ACategoryHasAColumnPerLevelButTheFirst) {
  const Design design = testing::design_of("group", people());
  EXPECT_THAT(design.columns, ElementsAre("intercept", "group[b]", "group[c]"));
  EXPECT_TRUE(
      column(design, "group[b]").isApprox((Eigen::VectorXd(6) << 1, 0, 0, 0, 1, 0).finished()));
}

TEST(Design, AnInteractionIsTheProductOfItsColumns) {
  const Design design = testing::design_of("age + age:sex", people());
  EXPECT_TRUE(
      column(design, "age:sex[M]")
          .isApprox(column(design, "age")
                        .cwiseProduct((Eigen::VectorXd(6) << 0, 1, 0, 1, 1, 0).finished())));
}

TEST(Design, NumbersBecomeACategoryWhenToldTo) {
  EXPECT_THAT(testing::design_of("C(site)", people()).columns, ElementsAre("intercept", "site[2]"));
  EXPECT_THAT(testing::design_of("site", people()).columns, ElementsAre("intercept", "site"));
}

std::string refusal(const std::string& formula, const Table& table = people()) {
  return testing::error_of([&] { testing::design_of(formula, table); });
}

TEST(BadDesign, UnknownName) {
  EXPECT_THAT(refusal("agee"), AllOf(HasSubstr("there is no covariate 'agee'"), HasSubstr("age")));
}

TEST(BadDesign, MissingValues) {
  EXPECT_THAT(refusal("cdr"), AllOf(StartsWith("2 subjects have no value of 'cdr': s2, s4"),
                                    HasSubstr("complete the table")));
  EXPECT_THAT(incomplete_subjects(parse_formula("age + cdr"), people()), ElementsAre("s2", "s4"));
}

TEST(BadDesign, Constant) {
  EXPECT_THAT(refusal("age + dose"), AllOf(HasSubstr("'dose' is 7 for every subject"),
                                           HasSubstr("leave it out of the model")));
  EXPECT_THAT(refusal("scanner"), HasSubstr("'scanner' is '3T' for every subject"));
}

TEST(BadDesign, Collinear) {
  EXPECT_THAT(refusal("age + sex + years"),
              AllOf(HasSubstr("'years' is a combination of the terms before it"),
                    HasSubstr("leave 'years' or one of the others out")));
  EXPECT_THAT(refusal("sex + C(site)"), HasSubstr("'site' is a combination"));
}

TEST(BadDesign, CollinearWhateverTheUnits) {
  Table table = people();
  for (const auto& age : table.column("age"))
    table.columns["tiny"].push_back(fmt::format("{}e-9", age));
  EXPECT_THAT(refusal("age + tiny", table), HasSubstr("'tiny' is a combination"));
  EXPECT_EQ(refusal("tiny + sex", table), "");
}

TEST(BadDesign, FewerSubjectsThanTerms) {
  EXPECT_THAT(refusal("age*sex + age^2 + age^3"),
              AllOf(HasSubstr("6 subjects are too few for the 6 columns of the model"),
                    HasSubstr("leave terms out of the model, or add subjects")));
}

TEST(BadDesign, ACategoryThatIsNone) {
  EXPECT_THAT(refusal("sex^2"), HasSubstr("'sex' is a category and has no power 2"));
  Table table = testing::random_table(40, 1);
  table.columns["age"][7] = "3o";
  EXPECT_THAT(refusal("age", table),
              AllOf(HasSubstr("different values among 40 subjects"), HasSubstr("write C(age)")));
  EXPECT_THAT(refusal("C(age)", table),
              HasSubstr("too few for the 40 columns of the model, 39 of them those of 'age'"));
}

TEST(Contrast, ATermAsksForAllItsColumns) {
  const Design design = testing::design_of("age + group", people());
  const Contrast group = make_contrast(design, "group");
  EXPECT_EQ(group.weights.rows(), 2);
  EXPECT_EQ(group.weights.sum(), 2);
  EXPECT_EQ(make_contrast(design, "1").weights(0, 0), 1);
  EXPECT_EQ(make_contrast(testing::design_of("C(site)", people()), "C(site)").name, "site");
}

TEST(Contrast, ACombinationOfColumnsIsWeighted) {
  const Design design = testing::design_of("age + group", people());
  const auto weights = [&](const std::string& test) -> Eigen::RowVectorXd {
    return make_contrast(design, test).weights;
  };
  EXPECT_TRUE(weights("group[c] - group[b]").isApprox(Eigen::RowVector4d(0, 0, -1, 1)));
  EXPECT_TRUE(weights("-group[b]+2*age").isApprox(Eigen::RowVector4d(0, 2, -1, 0)));
  EXPECT_TRUE(weights("group[a] - group[b]").isApprox(Eigen::RowVector4d(0, 0, -1, 0)))
      << "the reference level stands for 0";
}

TEST(Contrast, AnUnknownTestNamesWhatThereIs) {
  const Design design = testing::design_of("age + group", people());
  const auto refused = [&](const std::string& test) {
    return testing::error_of([&] { make_contrast(design, test); });
  };
  EXPECT_THAT(refused("sex"), AllOf(HasSubstr("'sex' is no term of the model"),
                                    HasSubstr("intercept, age, group, group[b], group[c]")));
  EXPECT_THAT(refused("agr"), HasSubstr("did you mean"));
  EXPECT_THAT(refused("age - age"), HasSubstr("all its weights are 0"));
}

TEST(DesignText, HasALinePerSubject) {
  const Design design = testing::design_of("age", people());
  EXPECT_THAT(to_csv(design), StartsWith("id,intercept,age\ns1,1,-26.6"));
  EXPECT_THAT(to_text(design), HasSubstr("… 2 more"));
}

}  // namespace
}  // namespace aladdin::stats
