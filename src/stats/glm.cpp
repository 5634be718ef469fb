#include "aladdin/stats/glm.h"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "aladdin/core/error.h"

namespace aladdin::stats {

using Eigen::Index;
using Eigen::MatrixXd;

Partition make_partition(const Design& design, const Contrast& contrast) {
  const MatrixXd& x = design.matrix;
  const Index n = x.rows(), p = x.cols(), r = contrast.weights.rows();
  // X (X'X)^-1 C' = Q R^-T C', from X = Q R.
  Eigen::HouseholderQR<MatrixXd> qr(x);
  const MatrixXd q = qr.householderQ() * MatrixXd::Identity(n, p);
  const MatrixXd upper = qr.matrixQR().topRows(p).triangularView<Eigen::Upper>();
  const MatrixXd in_q =
      upper.transpose().triangularView<Eigen::Lower>().solve(contrast.weights.transpose());
  Eigen::ColPivHouseholderQR<MatrixXd> split(in_q);
  split.setThreshold(1e-9);
  if (split.rank() < r)
    fail_usage("the {} questions of the test '{}' are not independent", r, contrast.name);
  const MatrixXd turned = split.householderQ() * MatrixXd::Identity(p, p);
  Partition partition;
  partition.dof_error = static_cast<double>(n - p);
  partition.tested = q * turned.leftCols(r);
  partition.nuisance = q * turned.rightCols(p - r);
  if (r == 1) {
    partition.tested.col(0) = q * in_q.col(0).normalized();
    partition.effect_scale = in_q.col(0).norm();
  }
  return partition;
}

double p_of_t(double t, double dof) {
  const boost::math::students_t distribution(dof);
  return std::min(1.0, 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(t))));
}

double p_of_f(double f, double dof_test, double dof_error) {
  const boost::math::fisher_f distribution(dof_test, dof_error);
  return boost::math::cdf(boost::math::complement(distribution, std::max(0.0, f)));
}

Fitter::Fitter(const Partition& partition)
    : partition_(partition),
      critical_t_(boost::math::quantile(
          boost::math::complement(boost::math::students_t(partition.dof_error), .025))) {}

Fit Fitter::fit(std::span<const float> values) const {
  return fit(Eigen::VectorXd(
      Eigen::Map<const Eigen::VectorXf>(values.data(), static_cast<Index>(values.size()))
          .cast<double>()));
}

Fit Fitter::fit(const Eigen::VectorXd& values) const {
  const Eigen::VectorXd left =
      values - partition_.nuisance * (partition_.nuisance.transpose() * values);
  Fit found;
  if (!(left.squaredNorm() > kRounding * values.squaredNorm())) return found;
  const Eigen::VectorXd along = partition_.tested.transpose() * left;
  const double error =
      std::max((left - partition_.tested * along).squaredNorm(), kLeastError * left.squaredNorm());
  const double dof = partition_.dof_error, mean_square = error / dof;
  if (!partition_.is_t()) {
    found.statistic = along.squaredNorm() / partition_.dof_test() / mean_square;
    found.partial_r = std::sqrt(along.squaredNorm() / (along.squaredNorm() + error));
    found.p = p_of_f(found.statistic, partition_.dof_test(), dof);
    return found;
  }
  found.statistic = along[0] / std::sqrt(mean_square);
  found.effect = partition_.effect_scale * along[0];
  const double reach = critical_t_ * partition_.effect_scale * std::sqrt(mean_square);
  found.effect_low = found.effect - reach;
  found.effect_high = found.effect + reach;
  found.partial_r = found.statistic / std::sqrt(found.statistic * found.statistic + dof);
  found.p = p_of_t(found.statistic, dof);
  return found;
}

}  // namespace aladdin::stats
