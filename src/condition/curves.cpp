#include "aladdin/condition/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aladdin/condition/weights.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/rng.h"

namespace aladdin::condition {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::int64_t kReplicates = 500;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// points x structures; NaN where a replicate has too few around a point.
MatrixXd regressed(const MatrixXd& values, const MatrixXd& x,
                   const std::vector<Eigen::VectorXd>& points, const Eigen::VectorXd& bandwidth) {
  MatrixXd out(static_cast<Index>(points.size()), values.cols());
  for (std::size_t p = 0; p < points.size(); ++p) {
    const auto weights = local_linear_weights(x, points[p], bandwidth);
    if (weights)
      out.row(static_cast<Index>(p)) = weights->transpose() * values;
    else
      out.row(static_cast<Index>(p)).setConstant(kNone);
  }
  return out;
}

// Linear between the ordered values; NaN of none.
double quantile(std::vector<double> values, double q) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return kNone;
  std::sort(values.begin(), values.end());
  const double at = q * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

}  // namespace

std::vector<Band> regress_volumes(const MatrixXd& values, const MatrixXd& x,
                                  const std::vector<Eigen::VectorXd>& points,
                                  const Eigen::VectorXd& bandwidth, std::uint64_t seed) {
  const Index n = values.rows();
  const MatrixXd whole = regressed(values, x, points, bandwidth);
  std::vector<MatrixXd> drawn(kReplicates);
  parallel_for(kReplicates, [&](std::int64_t b) {
    Rng rng(seed, static_cast<std::uint64_t>(b));
    MatrixXd again(n, values.cols()), at(n, x.cols());
    for (Index i = 0; i < n; ++i) {
      const Index from = rng.below(n);
      again.row(i) = values.row(from);
      at.row(i) = x.row(from);
    }
    drawn[b] = regressed(again, at, points, bandwidth);
  });
  std::vector<Band> bands(static_cast<std::size_t>(values.cols()));
  for (Index s = 0; s < values.cols(); ++s)
    for (Index p = 0; p < whole.rows(); ++p) {
      std::vector<double> all;
      for (const auto& one : drawn) all.push_back(one(p, s));
      bands[s].regression.push_back(whole(p, s));
      bands[s].low.push_back(quantile(all, .025));
      bands[s].high.push_back(quantile(all, .975));
    }
  return bands;
}

Curves find_curves(const RunSubjects& subjects, const Plan& plan, std::uint64_t seed) {
  Curves out;
  if (plan.group.numbers.empty() || !subjects.has_labels()) return out;
  for (std::size_t m = 0; m < plan.group.members.size(); ++m)
    if (subjects.is_labelled(plan.group.members[m])) out.subjects.push_back(m);
  const auto n = static_cast<Index>(out.subjects.size());
  if (n < 3) return out;
  const auto& table = subjects.label_table();
  MatrixXd values(n, std::ssize(table) - 1), x(n, plan.group.x.cols());
  parallel_for(n, [&](Index i) {
    const std::size_t m = out.subjects[i];
    const auto own = subjects.own_volumes(plan.group.members[m]);
    for (Index k = 1; k < std::ssize(table); ++k) values(i, k - 1) = own[k];
    x.row(i) = plan.group.x.row(static_cast<Index>(m));
  });
  const auto bands = regress_volumes(values, x, plan.group.points, plan.bandwidth, seed);
  const auto& names = subjects.record().cohort.label_names;
  for (std::size_t k = 1; k < table.size(); ++k) {
    const auto name = names.find(table[k]);
    const Band& band = bands[k - 1];
    Curve curve{table[k], name == names.end() ? fmt::format("label {}", table[k]) : name->second,
                {},       band.regression,
                band.low, band.high};
    for (Index i = 0; i < n; ++i) curve.own.push_back(values(i, static_cast<Index>(k) - 1));
    out.structures.push_back(std::move(curve));
  }
  return out;
}

}  // namespace aladdin::condition
