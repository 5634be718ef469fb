#include "table.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "aladdin/core/error.h"

namespace aladdin::bench {

Table::Table(std::string name, std::vector<std::vector<std::string>> lines)
    : name_(std::move(name)), lines_(std::move(lines)) {
  if (lines_.size() < 2) fail("'{}' has no lines below its header", name_);
  for (std::size_t row = 1; row < lines_.size(); ++row)
    if (lines_[row].size() != lines_[0].size())
      fail("line {} of '{}' has {} fields, its header has {}", row + 1, name_, lines_[row].size(),
           lines_[0].size());
}

const std::string& Table::text(std::size_t row, const std::string& column) const {
  const auto at = std::find(lines_[0].begin(), lines_[0].end(), column);
  if (at == lines_[0].end()) fail("'{}' has no column '{}'", name_, column);
  return lines_[row + 1][static_cast<std::size_t>(at - lines_[0].begin())];
}

std::optional<double> Table::number(std::size_t row, const std::string& column) const {
  const std::string& field = text(row, column);
  if (field.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(field.c_str(), &end);
  if (*end != '\0') fail("'{}' of column '{}' in '{}' is no number", field, column, name_);
  return value;
}

Table read_table(const Path& path) {
  std::istringstream text(read_text(path));
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(text, line);) {
    lines.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) lines.back().push_back(field);
    if (!line.empty() && line.back() == ',') lines.back().emplace_back();
  }
  return {path.string(), std::move(lines)};
}

}  // namespace aladdin::bench
