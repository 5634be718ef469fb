#include "aladdin/config/constraint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace aladdin {
namespace {

bool is_power_of_two(int value) { return value >= 1 && (value & (value - 1)) == 0; }

std::string range_text(const Constraint& c) {
  const bool below = std::isfinite(c.low), above = std::isfinite(c.high);
  if (below && above && !c.low_open && !c.high_open) return fmt::format("{} to {}", c.low, c.high);
  std::string text;
  if (below) text = fmt::format("{} {}", c.low_open ? "more than" : "at least", c.low);
  if (below && above) text += " and ";
  if (above) text += fmt::format("{} {}", c.high_open ? "less than" : "at most", c.high);
  return text;
}

std::string choice_text(const std::vector<std::string_view>& choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ", choices[i]);
  return text;
}

}  // namespace

bool Constraint::allows(double value) const {
  if (!std::isfinite(value)) return false;
  if (value < low || (low_open && value == low)) return false;
  if (value > high || (high_open && value == high)) return false;
  return !odd || std::fmod(std::abs(value), 2) == 1;
}

// TOML's integers are signed 64-bit: a larger number could be written but not read again.
bool Constraint::allows(std::uint64_t value) const {
  return value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

bool Constraint::allows(const std::string& value) const { return !value.empty(); }

bool Constraint::allows(const std::vector<int>& values) const {
  const bool powers = list == List::coarsening || list == List::passes;
  for (const int value : values)
    if (!allows(value) || (powers && !is_power_of_two(value))) return false;
  if (values.empty()) return list == List::ascending;
  if (!powers) return true;
  const auto out_of_order = [this](int a, int b) { return list == List::passes ? a < b : a <= b; };
  return values.back() == 1 &&
         std::adjacent_find(values.begin(), values.end(), out_of_order) == values.end();
}

bool Constraint::allows(const std::vector<double>& values) const {
  for (const double value : values)
    if (!allows(value)) return false;
  if (list != List::ascending) return !values.empty();
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

std::string Constraint::text() const {
  if (list == List::coarsening)
    return fmt::format("descending powers of two, at most {}, the last 1", high);
  if (list == List::passes)
    return fmt::format("powers of two that never rise, at most {}, the last 1", high);
  if (!choices.empty()) return choice_text(choices);
  std::string text = range_text(*this);
  if (odd) text = "odd, " + text;
  if (list == List::ascending) text = "ascending, each " + text;
  return text;
}

}  // namespace aladdin
