// What is known of the subjects besides their images: a table of text, one line per subject.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "aladdin/core/files.h"

namespace aladdin::stats {

struct Table {
  std::vector<std::string> ids;
  std::map<std::string, std::vector<std::string>> columns;  // "" where unknown

  bool has(const std::string& name) const { return columns.contains(name); }
  // Throws, with the nearest name and all names, where there is no such column.
  const std::vector<std::string>& column(const std::string& name) const;
  std::vector<std::string> names() const;
};

// A CSV with a column `id`; the others are covariates. Throws on duplicate ids and ragged lines.
Table read_table(const Path& csv);

// The lines of `ids`, in that order; throws where an id has none.
Table select_rows(const Table& table, const std::vector<std::string>& ids);

}  // namespace aladdin::stats
