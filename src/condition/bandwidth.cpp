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

// |v_i - mean of the others|², meant over i.
double error_of_mean(const MatrixXd& gram) {
  const auto n = static_cast<double>(gram.rows());
  const double about_mean = gram.trace() - gram.sum() / n;
  return about_mean / n * (n / (n - 1)) * (n / (n - 1));
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

BandwidthChoice choose_bandwidth(const MatrixXd& x, const MatrixXd& gram) {
  const Index n = x.rows();
  const VectorXd sd = spread_of(x);
  const double whole = error_of_mean(gram);
  BandwidthChoice choice;
  for (int t = 0; t < kTrials; ++t) {
    BandwidthTrial trial;
    trial.bandwidth = sd * (kLeast * std::pow(kMost / kLeast, double(t) / (kTrials - 1)));
    std::vector<double> errors(static_cast<std::size_t>(n), -1), counts(errors);
    parallel_for(n, [&](Index i) {
      const auto weights = local_linear_weights(x, x.row(i).transpose(), trial.bandwidth);
      constexpr double kAlone = 1 - 1e-6;  // nobody else is around
      if (!weights || (*weights)[i] > kAlone) return;
      const double own = (*weights)[i];
      VectorXd residual = -*weights;
      residual[i] += 1;
      residual /= 1 - own;
      errors[static_cast<std::size_t>(i)] = residual.dot(gram * residual);
      counts[static_cast<std::size_t>(i)] = effective_number(*weights);
    });
    if (*std::min_element(counts.begin(), counts.end()) < 0) continue;
    const auto mean = [&](const std::vector<double>& all) {
      return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(n);
    };
    trial.error = whole > 0 ? mean(errors) / whole : 1;
    trial.subjects = mean(counts);
    choice.trials.push_back(std::move(trial));
  }
  if (choice.trials.empty())
    throw Error(
        "no bandwidth leaves every subject with neighbours: the subjects are too few or too far apart")
        .hint(option_name("bandwidth") + " chooses one");
  for (std::size_t t = 1; t < choice.trials.size(); ++t)
    if (choice.trials[t].error < choice.trials[choice.best].error) choice.best = t;
  return choice;
}

}  // namespace aladdin::condition
