// The lines of the paper's Table 2 as configurations: a preset and what the line changes of it. They
// belong to the methods (config/methods.h). Rows A to K are the paper's; L is this program's own default.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aladdin/config/config.h"

namespace aladdin {

struct MethodLine {
  std::string id;    // "J3": row and place in it; rows with one line have the letter alone
  std::string name;  // "Aladdin"
  std::string preset;
  std::vector<std::string> changes;  // as --set takes them
  std::string citation;              // authors and year; empty: ours

  char row() const { return id[0]; }
  Config config() const;
};

// In the order of the rows.
const std::vector<MethodLine>& method_lines();

// "all", rows ("J") and lines ("J3"), separated by commas, in the order of the table. Throws (usage) on
// an unknown one.
std::vector<MethodLine> parse_methods(std::string_view text);

// What the paper finds by setting lines against each other: the first of each pair over the second.
struct Contrast {
  std::string name, question;
  std::vector<std::pair<std::string, std::string>> pairs;
};
const std::vector<Contrast>& contrasts();

}  // namespace aladdin
