#include "aladdin/kernels/mutual_information.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace aladdin::kernels {
namespace {

constexpr double kEpsilon = 1e-10;  // as loss/mutual_information.cpp

// The two bins that an intensity votes for, and its share of the upper one.
struct Vote {
  int lower;
  double upper_share;
  bool inside;

  Vote(float value, int bins) {
    const double position = std::clamp(double(value), 0.0, 1.0) * (bins - 1);
    lower = std::min(int(position), bins - 2);
    upper_share = position - lower;
    inside = value > 0 && value < 1;
  }
};

double entropy(const std::vector<double>& p) {
  double sum = 0;
  for (const double q : p) sum -= q * std::log(q + kEpsilon);
  return sum;
}

double slope(double q) { return -std::log(q + kEpsilon) - q / (q + kEpsilon); }

}  // namespace

double mutual_information(const float* a, const float* b, float* grad_a, const Shape& shape,
                          int bins) {
  const std::int64_t n = shape.voxels();
  std::vector<double> joint(static_cast<std::size_t>(bins) * bins), by_a(bins), by_b(bins);
  const auto at = [&](int i, int j) -> double& { return joint[i * bins + j]; };
  for (std::int64_t x = 0; x < n; ++x) {
    const Vote p(a[x], bins), q(b[x], bins);
    at(p.lower, q.lower) += (1 - p.upper_share) * (1 - q.upper_share);
    at(p.lower, q.lower + 1) += (1 - p.upper_share) * q.upper_share;
    at(p.lower + 1, q.lower) += p.upper_share * (1 - q.upper_share);
    at(p.lower + 1, q.lower + 1) += p.upper_share * q.upper_share;
  }
  for (int i = 0; i < bins; ++i)
    for (int j = 0; j < bins; ++j) {
      at(i, j) /= double(n);
      by_a[i] += at(i, j);
      by_b[j] += at(i, j);
    }
  const double apart = entropy(by_a) + entropy(by_b), together = entropy(joint) + kEpsilon;
  if (grad_a) {
    // `joint` becomes the derivative of the loss by it.
    for (int i = 0; i < bins; ++i)
      for (int j = 0; j < bins; ++j)
        at(i, j) = -(slope(by_a[i]) + slope(by_b[j])) / together +
                   apart * slope(at(i, j)) / (together * together);
    for (std::int64_t x = 0; x < n; ++x) {
      const Vote p(a[x], bins), q(b[x], bins);
      const double lower =
          (1 - q.upper_share) * at(p.lower, q.lower) + q.upper_share * at(p.lower, q.lower + 1);
      const double upper = (1 - q.upper_share) * at(p.lower + 1, q.lower) +
                           q.upper_share * at(p.lower + 1, q.lower + 1);
      grad_a[x] = p.inside ? float((upper - lower) * (bins - 1) / double(n)) : 0.0F;
    }
  }
  return 2 - apart / together;
}

}  // namespace aladdin::kernels
