#include "aladdin/condition/bandwidth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/condition/weights.h"
#include "aladdin/core/rng.h"
#include "aladdin/image/test_files.h"

namespace aladdin::condition {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Velocities {
  MatrixXd x;
  Eigen::MatrixXf v;
};

template <class Of>
Velocities made(Index n, double noise, const Of& of) {
  Rng rng(7);
  Velocities out{MatrixXd(n, 1), Eigen::MatrixXf(n, 6)};
  for (Index i = 0; i < n; ++i) {
    out.x(i, 0) = rng.uniform(0, 10);
    for (Index k = 0; k < 6; ++k)
      out.v(i, k) = static_cast<float>(of(out.x(i, 0), k) + noise * rng.normal());
  }
  return out;
}

TEST(Bandwidth, ErrorIsThatOfLeavingEachSubjectOut) {
  // Noise alone: all components weigh alike.
  const Velocities all = made(40, 1, [](double, Index) { return 0.0; });
  const BandwidthChoice choice = choose_bandwidth(all.x, all.v);
  ASSERT_GE(choice.plain_error, 1);
  const BandwidthTrial& trial = choice.trials[choice.trials.size() / 2];
  const MatrixXd velocities = all.v.cast<double>();
  double error = 0, of_mean = 0;
  for (Index i = 0; i < 40; ++i) {
    MatrixXd x(39, 1), v(39, 6);
    for (Index j = 0, k = 0; j < 40; ++j) {
      if (j == i) continue;
      x.row(k) = all.x.row(j);
      v.row(k++) = velocities.row(j);
    }
    const auto w = local_linear_weights(x, all.x.row(i).transpose(), trial.bandwidth);
    error += (velocities.row(i) - w->transpose() * v).squaredNorm();
    of_mean += (velocities.row(i) - v.colwise().mean()).squaredNorm();
  }
  EXPECT_NEAR(trial.error, error / of_mean, 1e-5);
}

TEST(Bandwidth, ListensToWhatIsPredictedAmongNoise) {
  // One component of six bends; the others are noise three times as large.
  const Velocities all =
      made(200, 0, [](double x, Index k) { return k == 0 ? std::sin(2 * x) : 0; });
  Velocities noisy = all;
  Rng rng(3);
  for (Index i = 0; i < 200; ++i)
    for (Index k = 0; k < 6; ++k)
      noisy.v(i, k) += static_cast<float>((k == 0 ? .1 : .6) * rng.normal());
  const auto choice = choose_bandwidth(noisy.x, noisy.v);
  ASSERT_LT(choice.plain_error, 1);
  EXPECT_LT(choice.bandwidth()[0], .5);
  EXPECT_LT(choice.trials[choice.best].error, choice.plain_error);
}

TEST(Bandwidth, IsNarrowForWhatBendsAndWideForALine) {
  const auto wave = made(120, .1, [](double x, Index k) { return std::sin(2 * x + double(k)); });
  const auto line = made(120, .1, [](double x, Index k) { return x * double(k + 1); });
  const auto narrow = choose_bandwidth(wave.x, wave.v);
  const auto wide = choose_bandwidth(line.x, line.v);
  EXPECT_LT(narrow.bandwidth()[0], 1);
  EXPECT_GT(wide.bandwidth()[0], 3 * narrow.bandwidth()[0]);
  EXPECT_LT(narrow.trials[narrow.best].error, .2);
}

TEST(Bandwidth, OfNoiseIsNoBetterThanTheMean) {
  const auto noise = made(120, 1, [](double, Index) { return 0.0; });
  const auto choice = choose_bandwidth(noise.x, noise.v);
  EXPECT_GT(choice.trials[choice.best].error, .97);
}

TEST(Bandwidth, JudgesSoManyAtMostSpreadOverTheRange) {
  const MatrixXd x = VectorXd::LinSpaced(5000, 10, 0);
  const auto judged = judged_subjects(x);
  ASSERT_EQ(static_cast<Index>(judged.size()), kMostJudged);
  EXPECT_EQ(judged.front(), 0);
  EXPECT_EQ(judged.back(), 4999);
}

TEST(Bandwidth, NeedsNeighbours) {
  const MatrixXd x = (VectorXd(3) << 0, 1, 1000).finished();
  EXPECT_THAT(
      aladdin::testing::error_of([&] { choose_bandwidth(x, Eigen::MatrixXf::Identity(3, 3)); }),
      ::testing::HasSubstr("too few or too far apart"));
}

}  // namespace
}  // namespace aladdin::condition
