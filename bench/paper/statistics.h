// Means with their uncertainty: 95 % intervals by the bootstrap, which takes subjects (or seeds) with
// replacement and assumes no distribution.
#pragma once

#include <span>
#include <string>

namespace aladdin::bench {

struct Interval {
  double value = 0, low = 0, high = 0;
};

// "1.43 (95 % CI 1.38 to 1.49)"
std::string describe(const Interval& interval, int digits = 2);

// The mean of one value a subject.
Interval mean_of(std::span<const double> values);

// mean(above) / mean(below), where a subject has one value in each.
Interval ratio_of_means(std::span<const double> above, std::span<const double> below);

}  // namespace aladdin::bench
