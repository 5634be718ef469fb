#include "statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "aladdin/core/error.h"
#include "aladdin/core/rng.h"

namespace aladdin::bench {
namespace {

constexpr int kResamples = 10000;

using Statistic = std::function<double(std::span<const std::size_t> subjects)>;

Interval bootstrap(std::size_t subjects, const Statistic& statistic) {
  if (subjects == 0) fail("nothing to average: no subject has a value");
  std::vector<std::size_t> chosen(subjects);
  std::iota(chosen.begin(), chosen.end(), 0);
  Interval out;
  out.value = statistic(chosen);
  Rng rng(1);
  std::vector<double> found;
  for (int r = 0; r < kResamples; ++r) {
    for (auto& subject : chosen)
      subject = static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(subjects)));
    found.push_back(statistic(chosen));
  }
  std::sort(found.begin(), found.end());
  out.low = found[kResamples / 40];
  out.high = found[kResamples - 1 - kResamples / 40];
  return out;
}

double sum_of(std::span<const double> values, std::span<const std::size_t> subjects) {
  double sum = 0;
  for (const std::size_t subject : subjects) sum += values[subject];
  return sum;
}

}  // namespace

std::string describe(const Interval& interval, int digits) {
  return fmt::format("{0:.{3}f} (95 % CI {1:.{3}f} to {2:.{3}f})", interval.value, interval.low,
                     interval.high, digits);
}

Interval mean_of(std::span<const double> values) {
  return bootstrap(values.size(), [&](std::span<const std::size_t> subjects) {
    return sum_of(values, subjects) / static_cast<double>(subjects.size());
  });
}

Interval ratio_of_means(std::span<const double> above, std::span<const double> below) {
  if (above.size() != below.size()) fail("a ratio of {} and {} values", above.size(), below.size());
  return bootstrap(above.size(), [&](std::span<const std::size_t> subjects) {
    return sum_of(above, subjects) / sum_of(below, subjects);
  });
}

}  // namespace aladdin::bench
