// A CSV of ours as numbers: metrics.csv, or what `aladdin evaluate --csv` writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aladdin/core/files.h"

namespace aladdin::bench {

class Table {
 public:
  Table(std::string name, std::vector<std::vector<std::string>> lines);

  std::size_t rows() const { return lines_.size() - 1; }
  // Throws, naming the file, if there is no such column.
  const std::string& text(std::size_t row, const std::string& column) const;
  // Nothing where the field is empty.
  std::optional<double> number(std::size_t row, const std::string& column) const;

 private:
  std::string name_;
  std::vector<std::vector<std::string>> lines_;  // the first is the header
};

Table read_table(const Path& path);

}  // namespace aladdin::bench
