// One column of a table as a covariate: its name in an expression, whether it is a number, and who lacks a value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aladdin/stats/table.h"

namespace aladdin::stats {

// The name that stands at `at`, which moves behind it: letters, digits, _ and ., not beginning with a digit, or any
// characters between two `. Nothing, with `at` where the name should be, if there is none; behind a ` that none closes.
std::optional<std::string> take_name(const std::string& text, std::size_t& at);

// Whether every value is a number.
bool is_number(const std::vector<std::string>& values);

// Throws (usage), naming the first of them, if a subject has no value of `name`; `advice` says what to do.
void require_values(const std::string& name, const Table& table,
                    const std::string& advice = "complete the table, or leave these subjects out");

// Throws (usage), naming the nearest and all there are, unless one of `values` is `level`.
void require_level(const std::string& name, const std::vector<std::string>& values,
                   const std::string& level);

}  // namespace aladdin::stats
