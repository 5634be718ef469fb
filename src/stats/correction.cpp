#include "aladdin/stats/correction.h"

#include <algorithm>
#include <boost/math/distributions/gamma.hpp>
#include <cmath>
#include <numeric>

#include "aladdin/core/error.h"
#include "aladdin/stats/glm.h"

namespace aladdin::stats {
namespace {

struct Moments {
  double mean = 0, variance = 0, skewness = 0;
};

Moments moments_of(std::span<const float> values) {
  const auto n = static_cast<double>(values.size());
  Moments found;
  for (const float value : values) found.mean += value / n;
  double third = 0;
  for (const float value : values) {
    const double away = value - found.mean;
    found.variance += away * away / (n - 1);
    third += away * away * away / n;
  }
  if (found.variance > 0) found.skewness = third / std::pow(found.variance, 1.5);
  return found;
}

}  // namespace

std::vector<float> false_discovery_rate(std::span<const float> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<float> corrected(p.size(), 1);
  double smallest = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    const double share = static_cast<double>(p[order[i]]) * static_cast<double>(p.size()) /
                         static_cast<double>(i + 1);
    smallest = std::min(smallest, share);
    corrected[order[i]] = static_cast<float>(smallest);
  }
  return corrected;
}

Tail parse_tail(const std::string& name) {
  if (name == "empirical") return Tail::empirical;
  if (name == "gamma") return Tail::gamma;
  if (name == "pareto") return Tail::pareto;
  fail_usage("there is no tail '{}'; expected empirical, gamma or pareto", name);
}

void require_enough(Tail tail, std::int64_t permutations) {
  constexpr std::int64_t kFewest = 100;
  if (tail != Tail::empirical && permutations < kFewest)
    fail_usage("{} permutations are too few to fit a tail; expected at least {}", permutations,
               kFewest);
}

NullMaxima::NullMaxima(std::vector<float> maxima, Tail tail)
    : maxima_(std::move(maxima)), tail_(tail) {
  std::sort(maxima_.begin(), maxima_.end());
  require_enough(tail_, static_cast<std::int64_t>(maxima_.size()));
  if (tail_ == Tail::empirical) return;
  std::span<const float> fitted(maxima_);
  if (tail_ == Tail::pareto) {
    const std::size_t from = maxima_.size() * 3 / 4;
    fitted = fitted.subspan(from);
    location_ = maxima_[from];
    threshold_share_ = static_cast<double>(fitted.size()) / static_cast<double>(maxima_.size());
  }
  const Moments found = moments_of(fitted);
  // Maxima without a spread, or not skewed to the right, have no tail to fit: they speak for themselves.
  if (!(found.variance > 0) || (tail_ == Tail::gamma && !(found.skewness > 0))) {
    tail_ = Tail::empirical;
    return;
  }
  if (tail_ == Tail::gamma) {
    shape_ = 4 / (found.skewness * found.skewness);
    scale_ = std::sqrt(found.variance) * found.skewness / 2;
    location_ = found.mean - shape_ * scale_;
    return;
  }
  const double excess = found.mean - location_, ratio = excess * excess / found.variance;
  shape_ = (1 - ratio) / 2;
  scale_ = excess * (ratio + 1) / 2;
}

double NullMaxima::empirical(double statistic) const {
  const auto limit = static_cast<float>(statistic * (1 - kTie));
  const auto above = maxima_.end() - std::lower_bound(maxima_.begin(), maxima_.end(), limit);
  return (1.0 + static_cast<double>(above)) / (1.0 + static_cast<double>(maxima_.size()));
}

double NullMaxima::p(double statistic) const {
  statistic = std::abs(statistic);
  if (tail_ == Tail::empirical) return empirical(statistic);
  const double beyond = statistic - location_;
  if (beyond <= 0) return tail_ == Tail::gamma ? 1 : empirical(statistic);
  if (tail_ == Tail::gamma)
    return boost::math::cdf(
        boost::math::complement(boost::math::gamma_distribution<>(shape_, scale_), beyond));
  if (std::abs(shape_) < 1e-9) return threshold_share_ * std::exp(-beyond / scale_);
  const double base = 1 + shape_ * beyond / scale_;
  return base > 0 ? threshold_share_ * std::pow(base, -1 / shape_) : 0;
}

}  // namespace aladdin::stats
