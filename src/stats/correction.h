// From many p values, or from the maxima of many shuffled maps, to corrected ones.
//
//   false discovery rate   Benjamini and Hochberg: p_(i) m / i, made monotone
//   family-wise            (1 + number of shuffled maxima at least as large) / (1 + number of shuffles)
//
// A tail fitted to the maxima (Winkler et al. 2016) goes on below 1 / (1 + shuffles):
//
//   gamma    a shifted gamma distribution with their mean, variance and skewness
//   pareto   a generalised Pareto distribution, by moments, of those in the upper quarter; p beyond its beginning
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aladdin::stats {

std::vector<float> false_discovery_rate(std::span<const float> p);

enum class Tail { empirical, gamma, pareto };
Tail parse_tail(const std::string& name);  // throws on another name
// Throws where there are too few permutations to fit the tail.
void require_enough(Tail tail, std::int64_t permutations);

class NullMaxima {
 public:
  NullMaxima(std::vector<float> maxima, Tail tail);
  // Of a statistic's absolute value.
  double p(double statistic) const;

 private:
  double empirical(double statistic) const;

  std::vector<float> maxima_;  // ascending
  Tail tail_;
  double location_ = 0, scale_ = 1, shape_ = 1, threshold_share_ = 0;
};

}  // namespace aladdin::stats
