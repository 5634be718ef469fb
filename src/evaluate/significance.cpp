#include "aladdin/evaluate/significance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "aladdin/core/error.h"

namespace aladdin::evaluate {
namespace {

// Twice the rank of each: whole numbers, also where equal ones share a rank.
std::vector<std::int64_t> doubled_ranks(const std::vector<double>& sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return sizes[a] < sizes[b]; });
  std::vector<std::int64_t> ranks(sizes.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && sizes[order[end]] == sizes[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i)
      ranks[order[i]] = static_cast<std::int64_t>(begin + 1 + end);
    begin = end;
  }
  return ranks;
}

double exact_p(const std::vector<std::int64_t>& ranks, std::int64_t w) {
  const std::int64_t total = std::accumulate(ranks.begin(), ranks.end(), std::int64_t{0});
  std::vector<double> chance(static_cast<std::size_t>(total + 1), 0.0);
  chance[0] = 1;
  std::int64_t most = 0;
  for (const std::int64_t rank : ranks) {
    most += rank;
    for (std::int64_t s = most; s >= 0; --s)
      chance[s] = 0.5 * (chance[s] + (s >= rank ? chance[s - rank] : 0.0));
  }
  double below = 0, above = 0;
  for (std::int64_t s = 0; s <= total; ++s) {
    if (s <= w) below += chance[s];
    if (s >= w) above += chance[s];
  }
  return std::min(1.0, 2 * std::min(below, above));
}

double normal_p(const std::vector<std::int64_t>& ranks, std::int64_t w) {
  double mean = 0, variance = 0;
  for (const std::int64_t rank : ranks) {
    mean += 0.25 * static_cast<double>(rank);
    variance += static_cast<double>(rank) * static_cast<double>(rank) / 16;
  }
  const double away = std::max(0.0, std::abs(0.5 * static_cast<double>(w) - mean) - 0.5);
  return std::erfc(away / std::sqrt(2 * variance));
}

}  // namespace

SignedRank signed_rank_test(std::span<const double> first, std::span<const double> second) {
  if (first.size() != second.size())
    fail("a paired test has {} values on one side and {} on the other", first.size(),
         second.size());
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double difference = first[i] - second[i];
    if (difference == 0) continue;
    sizes.push_back(std::abs(difference));
    positive.push_back(difference > 0);
  }
  SignedRank result;
  result.pairs = static_cast<std::int64_t>(sizes.size());
  if (sizes.empty()) return result;
  const auto ranks = doubled_ranks(sizes);
  std::int64_t w = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (positive[i]) w += ranks[i];
  result.w = 0.5 * static_cast<double>(w);
  result.p = result.pairs <= kMostExact ? exact_p(ranks, w) : normal_p(ranks, w);
  return result;
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> corrected(p.size());
  double most = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    most = std::max(most, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    corrected[order[i]] = most;
  }
  return corrected;
}

}  // namespace aladdin::evaluate
