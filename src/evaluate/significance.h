// Is the difference of paired values more than chance?
//
// Wilcoxon's signed-rank test, two-sided: the pairs without a difference are dropped, the absolute
// differences of the n others are ranked (equal ones share the mean of their ranks), and W is the
// sum of the ranks of the positive ones.
//
//   n <= kMostExact   p = min(1, 2 min(P(W' <= W), P(W' >= W))), W' over all 2^n signs of these
//                     ranks: exact, with equal ranks too
//   n >  kMostExact   the normal approximation of W', mean n(n+1)/4, variance sum rank^2 / 4,
//                     with a continuity correction of 1/2
//
// Holm's correction of m tests: in ascending order p_(i) becomes max_{j <= i} min(1, (m - j + 1) p_(j)).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace aladdin::evaluate {

struct SignedRank {
  double p = 1, w = 0;     // W; without any difference p is 1
  std::int64_t pairs = 0;  // n
};

constexpr std::int64_t kMostExact = 200;

// Throws unless there are as many of one as of the other.
SignedRank signed_rank_test(std::span<const double> first, std::span<const double> second);

// In the order given.
std::vector<double> holm(std::span<const double> p);

}  // namespace aladdin::evaluate
