#include "aladdin/condition/curves.h"

#include <gtest/gtest.h>

#include "aladdin/condition/test_run.h"
#include "aladdin/core/rng.h"

namespace aladdin::condition {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(Curves, OfALineAreTheLineWithoutAnyDoubt) {
  const MatrixXd x = VectorXd::LinSpaced(40, 20, 80);
  const MatrixXd values = 3 * x.array() + 7;
  const auto bands =
      regress_volumes(values, x, {VectorXd::Constant(1, 20), VectorXd::Constant(1, 66)},
                      VectorXd::Constant(1, 12), 0);
  ASSERT_EQ(bands.size(), 1U);
  for (const auto& [p, truth] : {std::pair(0, 67.0), std::pair(1, 205.0)}) {
    EXPECT_NEAR(bands[0].regression[p], truth, 1e-6);
    EXPECT_NEAR(bands[0].low[p], truth, 1e-6);
    EXPECT_NEAR(bands[0].high[p], truth, 1e-6);
  }
}

TEST(Curves, BandHoldsTheTruthAboutAsOftenAsItSays) {
  constexpr int kTimes = 60;
  int held = 0;
  for (int t = 0; t < kTimes; ++t) {
    Rng rng(11, static_cast<std::uint64_t>(t));
    MatrixXd x(60, 1), values(60, 1);
    for (Eigen::Index i = 0; i < 60; ++i) {
      x(i, 0) = rng.uniform(0, 10);
      values(i, 0) = 2 * x(i, 0) + rng.normal();
    }
    const Band band =
        regress_volumes(values, x, {VectorXd::Constant(1, 5)}, VectorXd::Constant(1, 2), 1)[0];
    held += band.low[0] <= 10 && 10 <= band.high[0];
  }
  EXPECT_GE(held, 50);  // 95 % of 60 are 57
  EXPECT_LT(held, kTimes);
}

TEST(Curves, AreOfTheSubjectsOwnVolumes) {
  aladdin::testing::TemporaryFolder folder;
  aladdin::testing::write_disc_run({folder.path()}, aladdin::testing::ageing_discs());
  const RunSubjects subjects(folder.path());
  Question question;
  question.sweep = parse_sweep("age=20:80:30");
  const Plan plan = plan_atlases(subjects, question, parse_bandwidth("20"));
  const Curves curves = find_curves(subjects, plan);
  ASSERT_EQ(curves.structures.size(), 1U);
  EXPECT_EQ(curves.structures[0].name, "disc");
  EXPECT_EQ(curves.structures[0].own.size(), 13U);
  for (int p = 0; p < 3; ++p) {
    const double truth = aladdin::testing::area_at(20 + 30 * p);
    EXPECT_NEAR(curves.structures[0].regression[p], truth, .06 * truth);  // voxels of a disc
  }
}

}  // namespace
}  // namespace aladdin::condition
