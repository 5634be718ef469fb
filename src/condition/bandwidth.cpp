#include "aladdin/condition/bandwidth.h"

#include <algorithm>
#include <numeric>

#include "aladdin/condition/weights.h"
#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/parallel.h"

namespace aladdin::condition {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::MatrixXf;
using Eigen::VectorXd;

constexpr int kTrials = 16;
constexpr double kLeast = .1, kMost = 3.2;  // standard deviations

VectorXd spread_of(const MatrixXd& x) {
  VectorXd sd(x.cols());
  for (Index a = 0; a < x.cols(); ++a)
    sd[a] = std::sqrt((x.col(a).array() - x.col(a).mean()).square().sum() /
                      static_cast<double>(x.rows() - 1));
  return sd;
}

using Errors = Eigen::ArrayXd;  // of each component

Errors errors_of_mean(const MatrixXf& velocities) {
  const auto n = static_cast<double>(velocities.rows());
  const MatrixXf centred = velocities.rowwise() - velocities.colwise().mean();
  return centred.colwise().squaredNorm().transpose().cast<double>().array() * n /
         ((n - 1) * (n - 1));
}

// Row i: subject i less what the others predict of it. Empty where one has no neighbours; `subjects` is then not set.
MatrixXf residual_matrix(const MatrixXd& x, const VectorXd& bandwidth, double& subjects) {
  constexpr double kAlone = 1 - 1e-6;
  const Index n = x.rows();
  MatrixXf out(n, n);
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    const auto weights = local_linear_weights(x, x.row(i).transpose(), bandwidth);
    if (!weights || (*weights)[i] > kAlone) return {};
    VectorXd residual = -*weights;
    residual[i] += 1;
    out.row(i) = (residual / (1 - (*weights)[i])).cast<float>().transpose();
    sum += effective_number(*weights);
  }
  subjects = sum / static_cast<double>(n);
  return out;
}

double share(const Errors& weight, const Errors& errors, const Errors& of_mean) {
  const double whole = (weight * of_mean).sum();
  return whole > 0 ? (weight * errors).sum() / whole : 1;
}

// Sets the error of every trial, and says which is best.
std::size_t judge(std::vector<BandwidthTrial>& trials, const std::vector<Errors>& errors,
                  const Errors& of_mean, const Errors& weight) {
  std::size_t best = 0;
  for (std::size_t t = 0; t < trials.size(); ++t) {
    trials[t].error = share(weight, errors[t], of_mean);
    if (trials[t].error < trials[best].error) best = t;
  }
  return best;
}

}  // namespace

std::vector<Index> judged_subjects(const MatrixXd& x) {
  std::vector<Index> order(static_cast<std::size_t>(x.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  if (x.rows() <= kMostJudged) return order;
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return x(a, 0) < x(b, 0); });
  std::vector<Index> chosen;
  for (Index k = 0; k < kMostJudged; ++k)
    chosen.push_back(order[static_cast<std::size_t>(k * (x.rows() - 1) / (kMostJudged - 1))]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

BandwidthChoice choose_bandwidth(const MatrixXd& x, const MatrixXf& velocities) {
  const VectorXd sd = spread_of(x);
  std::vector<BandwidthTrial> tried(kTrials);
  std::vector<Errors> found(kTrials);  // none: it cannot be judged
  parallel_for(kTrials, [&](std::int64_t t) {
    tried[t].bandwidth = sd * (kLeast * std::pow(kMost / kLeast, double(t) / (kTrials - 1)));
    const MatrixXf residuals = residual_matrix(x, tried[t].bandwidth, tried[t].subjects);
    if (residuals.size() == 0) return;
    found[t] = (residuals * velocities).colwise().squaredNorm().transpose().cast<double>().array() /
               static_cast<double>(x.rows());
  });
  BandwidthChoice choice;
  std::vector<Errors> errors;
  for (std::size_t t = 0; t < tried.size(); ++t) {
    if (found[t].size() == 0) continue;
    choice.trials.push_back(std::move(tried[t]));
    errors.push_back(std::move(found[t]));
  }
  if (choice.trials.empty())
    throw Error(
        "no bandwidth leaves every subject with neighbours: the subjects are too few or too far apart")
        .hint(option_name("bandwidth") + " chooses one");
  const Errors of_mean = errors_of_mean(velocities);
  choice.best = judge(choice.trials, errors, of_mean, Errors::Ones(of_mean.size()));
  choice.plain_error = choice.trials[choice.best].error;
  if (choice.plain_error >= 1) return choice;
  Errors least = errors.front();
  for (const Errors& one : errors) least = least.min(one);
  const Errors predicted = (of_mean > 0).select((1 - least / of_mean.max(1e-30)).max(0), 0);
  choice.best = judge(choice.trials, errors, of_mean, predicted);
  return choice;
}

}  // namespace aladdin::condition
