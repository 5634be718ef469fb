#include "aladdin/optimise/mismatch.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/median.h"
#include "aladdin/core/text.h"

namespace aladdin {

Mismatches::Mismatches(const std::vector<double>& values) : median_(aladdin::median(values)) {
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - median_));
  spread_ = values.size() < kFewest
                ? 1e6
                : std::max({1.4826 * aladdin::median(deviations), 0.1 * median_, 1e-6});
}

Mismatches::Mismatches(const std::string& text) {
  const auto parts = split(text, ' ');
  const auto numbers = parts.size() == 2
                           ? std::pair(parse_number(parts[0]), parse_number(parts[1]))
                           : std::pair<std::optional<double>, std::optional<double>>();
  if (!numbers.first || !numbers.second || !std::isfinite(*numbers.first) || !(*numbers.second > 0))
    fail("'{}' is not the median and the spread of mismatches", text);
  median_ = *numbers.first;
  spread_ = *numbers.second;
}

std::string Mismatches::text() const { return fmt::format("{:.9g} {:.9g}", median_, spread_); }

double Mismatches::weight(double mismatch) const {
  return std::clamp((kPoor - excess(mismatch)) / (kPoor - kFull), 0.0, 1.0);
}

std::string list_of_poor(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNamed = 5;
  const std::size_t named = std::min(names.size(), kMostNamed);
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + std::ptrdiff_t(named), ", "));
  if (names.size() > named)
    text += " and " + counted(static_cast<long long>(names.size() - named), "other");
  return text;
}

}  // namespace aladdin
