// What a setting may be, as data: the same object checks a value and says in words what it expects.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aladdin/config/choice.h"

namespace aladdin {

struct Constraint {
  enum class List { free, ascending, coarsening, passes };

  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;   // low itself is out
  bool high_open = false;  // high itself is out
  bool odd = false;
  std::vector<std::string_view> choices{};  // of an enum
  // The numbers above hold for each element of a list. ascending: strictly; coarsening: descending
  // powers of two, the last 1; passes: the same, and a number may repeat. Only ascending may be empty.
  List list = List::free;

  // Not a finite number: never.
  bool allows(double value) const;
  bool allows(int value) const { return allows(static_cast<double>(value)); }
  bool allows(std::uint64_t value) const;
  bool allows(bool) const { return true; }
  template <Choice Enum>
  bool allows(Enum) const {
    return true;
  }
  bool allows(const std::string& value) const;  // any that is not empty
  bool allows(const std::vector<int>& values) const;
  bool allows(const std::vector<double>& values) const;

  // "0 to 1", "more than 0", "mse, ncc or lncc"; "" where anything goes.
  std::string text() const;
};

inline Constraint anything() { return {}; }
inline Constraint between(double low, double high) { return {.low = low, .high = high}; }
inline Constraint odd_between(double low, double high) {
  return {.low = low, .high = high, .odd = true};
}
inline Constraint at_least(double low) { return {.low = low}; }
inline Constraint more_than(double low) { return {.low = low, .low_open = true}; }
// (0, 1]
inline Constraint share() { return {.low = 0, .high = 1, .low_open = true}; }
// [0, 1)
inline Constraint fraction() { return {.low = 0, .high = 1, .high_open = true}; }
template <Choice Enum>
Constraint one_of() {
  return {.choices = names_of<Enum>()};
}
// Every element in (0, 1).
inline Constraint ascending_fractions() {
  return {.low = 0,
          .high = 1,
          .low_open = true,
          .high_open = true,
          .list = Constraint::List::ascending};
}
inline Constraint coarsening() { return {.high = 64, .list = Constraint::List::coarsening}; }
inline Constraint passes() { return {.high = 64, .list = Constraint::List::passes}; }

}  // namespace aladdin
