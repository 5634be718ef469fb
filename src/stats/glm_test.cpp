#include "aladdin/stats/glm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/image/test_files.h"
#include "aladdin/stats/test_designs.h"

namespace aladdin::stats {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ::testing::HasSubstr;

VectorXd random_values(Eigen::Index n, std::uint64_t seed) {
  Rng rng(seed);
  VectorXd y(n);
  for (double& value : y) value = 3 + rng.normal();
  return y;
}

// Textbook: b = (X'X)^-1 X'y, covariance s² (X'X)^-1.
struct Textbook {
  VectorXd b;
  MatrixXd covariance;
  double error, dof;

  Textbook(const MatrixXd& x, const VectorXd& y)
      : b((x.transpose() * x).ldlt().solve(x.transpose() * y)),
        error((y - x * b).squaredNorm()),
        dof(static_cast<double>(x.rows() - x.cols())) {
    covariance = (x.transpose() * x).inverse() * (error / dof);
  }
};

TEST(Glm, TOfATermIsTheTextbooks) {
  const Table table = testing::random_table(30, 5);
  const Design design = testing::design_of("age*sex + group", table);
  const VectorXd y = random_values(30, 6);
  const Textbook book(design.matrix, y);
  for (Eigen::Index c = 0; c < design.matrix.cols(); ++c) {
    const std::string& column = design.columns[static_cast<std::size_t>(c)];
    const Partition partition =
        make_partition(design, make_contrast(design, column == "intercept" ? "1" : column));
    const Fit fit = Fitter(partition).fit(y);
    const double error = std::sqrt(book.covariance(c, c)), t = book.b[c] / error;
    EXPECT_NEAR(fit.effect, book.b[c], 1e-9 * std::abs(book.b[c])) << column;
    EXPECT_NEAR(fit.statistic, t, 1e-9) << column;
    EXPECT_NEAR(fit.partial_r, t / std::sqrt(t * t + book.dof), 1e-9);
    EXPECT_EQ(partition.dof_error, book.dof);
    EXPECT_NEAR(fit.effect_high - fit.effect, 2.063898562 * error, 1e-8 * error)
        << "the .975 quantile of t with 24 degrees of freedom";
    EXPECT_NEAR(fit.effect - fit.effect_low, fit.effect_high - fit.effect, 1e-9);
  }
}

TEST(Glm, FIsTheDropInErrorWithoutTheTerm) {
  const Table table = testing::random_table(31, 8);
  const VectorXd y = random_values(31, 9);
  const Textbook full(testing::design_of("age + group", table).matrix, y);
  const Textbook without(testing::design_of("age", table).matrix, y);
  const Fit fit = Fitter(testing::partition_of("age + group", "group", table)).fit(y);
  const double drop = without.error - full.error;
  EXPECT_NEAR(fit.statistic, drop / 2 / (full.error / full.dof), 1e-9);
  EXPECT_NEAR(fit.partial_r, std::sqrt(drop / without.error), 1e-9);
}

TEST(Glm, TSquaredIsTheFOfOneQuestion) {
  const Table table = testing::random_table(20, 2);
  const VectorXd y = random_values(20, 3);
  const double t = Fitter(testing::partition_of("age + sex", "sex", table)).fit(y).statistic;
  const Textbook full(testing::design_of("age + sex", table).matrix, y);
  const Textbook without(testing::design_of("age", table).matrix, y);
  EXPECT_NEAR(t * t, (without.error - full.error) / (full.error / full.dof), 1e-9);
}

TEST(Glm, ACombinationOfLevelsIsTheOneOfAnotherReference) {
  const Table table = testing::random_table(24, 4);
  const VectorXd y = random_values(24, 5);
  Table other = table;
  for (auto& value : other.columns["group"]) value = value == "b" ? "A" : value;  // now the first
  const Fit one = Fitter(testing::partition_of("age + group", "group[c] - group[b]", table)).fit(y);
  const Fit same = Fitter(testing::partition_of("age + group", "group[c]", other)).fit(y);
  EXPECT_NEAR(one.statistic, same.statistic, 1e-9);
  EXPECT_NEAR(one.effect, same.effect, 1e-9);
}

TEST(Glm, TwoGroupsAreStudentsTTest) {
  const Table table = testing::table_of({{"group", {"a", "a", "a", "b", "b", "b", "b"}}});
  const VectorXd y = (VectorXd(7) << 1, 2, 3, 4, 5, 6, 7).finished();
  const Fit fit = Fitter(testing::partition_of("group", "group", table)).fit(y);
  // Means 2 and 5.5, pooled variance (2 + 5) / 5.
  EXPECT_NEAR(fit.effect, 3.5, 1e-12);
  EXPECT_NEAR(fit.statistic, 3.5 / std::sqrt(1.4 * (1 / 3.0 + 1 / 4.0)), 1e-12);
}

TEST(Glm, PIsTheTailOfTheDistribution) {
  EXPECT_NEAR(p_of_t(1, 1), .5, 1e-12) << "Cauchy";
  EXPECT_NEAR(p_of_t(-std::sqrt(2.0), 2), 1 - std::sqrt(2.0) / 2, 1e-12) << "1 - t / sqrt(2 + t²)";
  EXPECT_NEAR(p_of_f(9, 1, 12), p_of_t(3, 12), 1e-12);
  EXPECT_NEAR(p_of_f(3, 2, 10), std::pow(1 + 2 * 3 / 10.0, -5), 1e-12) << "two questions";
  EXPECT_EQ(p_of_t(0, 5), 1);
}

TEST(Glm, WhatTheNuisanceExplainsHasNoStatistic) {
  const Table table = testing::random_table(20, 2);
  const Design design = testing::design_of("age + sex", table);
  const Partition partition = make_partition(design, make_contrast(design, "age"));
  const std::vector<float> constant(20, 1e6F);
  EXPECT_EQ(Fitter(partition).fit(constant).statistic, 0);
  EXPECT_EQ(Fitter(partition).fit(constant).p, 1);
  const VectorXd explained = design.matrix.col(2) * 7;
  EXPECT_EQ(Fitter(partition).fit(explained).statistic, 0);
}

TEST(Glm, WhatTheModelExplainsWhollyHasALargeFiniteStatistic) {
  const Table table = testing::random_table(20, 2);
  const Design design = testing::design_of("age + sex", table);
  const Partition partition = make_partition(design, make_contrast(design, "age"));
  const Fit fit = Fitter(partition).fit(VectorXd(-design.matrix.col(1)));
  EXPECT_NEAR(fit.effect, -1, 1e-12);
  EXPECT_NEAR(fit.statistic, -std::sqrt(17 / kLeastError), 1e-3 * 4123);
}

TEST(Glm, QuestionsThatRepeatEachOtherAreRefused) {
  const Design design = testing::design_of("age + sex", testing::random_table(20, 2));
  Contrast contrast{"twice", MatrixXd::Zero(2, 3)};
  contrast.weights(0, 1) = contrast.weights(1, 1) = 1;
  EXPECT_THAT(testing::error_of([&] { make_partition(design, contrast); }),
              HasSubstr("the 2 questions of the test 'twice' are not independent"));
}

}  // namespace
}  // namespace aladdin::stats
