#include "aladdin/condition/weights.h"

#include <gtest/gtest.h>

#include "aladdin/core/rng.h"

namespace aladdin::condition {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd scattered(Eigen::Index n, Eigen::Index p, std::uint64_t seed) {
  Rng rng(seed);
  MatrixXd x(n, p);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index a = 0; a < p; ++a) x(i, a) = rng.uniform(18, 96);
  return x;
}

TEST(Weights, GiveBackEveryLinearFunctionExactlyAtTheEndsAsWell) {
  for (const Eigen::Index p : {1, 2}) {
    const MatrixXd x = scattered(60, p, 3);
    const VectorXd slope = VectorXd::LinSpaced(p, -2, 5);
    for (const double at : {18.0, 20.0, 57.0, 96.0, 110.0}) {
      const VectorXd c = VectorXd::Constant(p, at);
      const auto w = local_linear_weights(x, c, VectorXd::Constant(p, 15));
      ASSERT_TRUE(w) << at;
      EXPECT_NEAR(w->sum(), 1, 1e-9);
      EXPECT_NEAR(w->dot(x * slope), c.dot(slope), 1e-6 * x.norm()) << at;
    }
  }
}

TEST(Weights, OfTheMiddleFallWithTheDistance) {
  const MatrixXd x = VectorXd::LinSpaced(21, 0, 20);
  const auto w = local_linear_weights(x, VectorXd::Constant(1, 10), VectorXd::Constant(1, 3));
  ASSERT_TRUE(w);
  for (int i = 0; i < 10; ++i) EXPECT_LT((*w)[i], (*w)[i + 1]);
  EXPECT_NEAR((*w)[7] / (*w)[10], std::exp(-.5), 1e-9);
  const auto narrow = local_linear_weights(x, VectorXd::Constant(1, 10), VectorXd::Constant(1, 1));
  EXPECT_EQ((*narrow)[5], 0);  // beyond four bandwidths
  EXPECT_LT(effective_number(*narrow), effective_number(*w));
}

TEST(Weights, WithoutNumbersAllWeighAlike) {
  const auto w = local_linear_weights(MatrixXd(8, 0), VectorXd(0), VectorXd(0));
  ASSERT_TRUE(w);
  EXPECT_EQ((*w)[3], 1.0 / 8);
  EXPECT_NEAR(effective_number(*w), 8, 1e-12);
}

TEST(Weights, NeedDifferentNumbersAround) {
  const MatrixXd x = (VectorXd(5) << 20, 20, 20, 80, 80).finished();
  EXPECT_FALSE(local_linear_weights(x, VectorXd::Constant(1, 20), VectorXd::Constant(1, 2)));
  EXPECT_FALSE(local_linear_weights(x, VectorXd::Constant(1, 50), VectorXd::Constant(1, 2)));
  EXPECT_TRUE(local_linear_weights(x, VectorXd::Constant(1, 50), VectorXd::Constant(1, 30)));
}

}  // namespace
}  // namespace aladdin::condition
