// For the tests of this folder: tables, designs and data of made-up subjects.
#pragma once

#include <fmt/format.h>

#include "aladdin/core/rng.h"
#include "aladdin/stats/design.h"
#include "aladdin/stats/permutation.h"

namespace aladdin::testing {

using stats::Data, stats::Design, stats::Partition, stats::Table;

inline Table table_of(std::map<std::string, std::vector<std::string>> columns) {
  Table table;
  for (std::size_t s = 0; s < columns.begin()->second.size(); ++s)
    table.ids.push_back(fmt::format("s{}", s + 1));
  table.columns = std::move(columns);
  return table;
}

// `subjects` with a number 'age', a number 'size', a 'sex' (F, M) and a 'group' (a, b, c).
inline Table random_table(int subjects, std::uint64_t seed) {
  Rng rng(seed);
  std::map<std::string, std::vector<std::string>> columns;
  for (int s = 0; s < subjects; ++s) {
    columns["age"].push_back(fmt::format("{:.3f}", rng.uniform(18, 96)));
    columns["size"].push_back(fmt::format("{:.3f}", 1500 + 150 * rng.normal()));
    columns["sex"].push_back(rng.below(2) == 0 ? "F" : "M");
    columns["group"].push_back(std::string(1, static_cast<char>('a' + s % 3)));
  }
  return table_of(std::move(columns));
}

inline Design design_of(const std::string& formula, const Table& table) {
  return stats::make_design(stats::parse_formula(formula), table);
}

inline Partition partition_of(const std::string& formula, const std::string& test,
                              const Table& table) {
  const Design design = design_of(formula, table);
  return stats::make_partition(design, stats::make_contrast(design, test));
}

// Noise with a different mean and spread in each row.
inline Data random_data(std::int64_t rows, std::int64_t subjects, std::uint64_t seed) {
  Data data{rows, subjects, {}};
  Rng rng(seed);
  for (std::int64_t r = 0; r < rows; ++r) {
    const double mean = rng.normal(), spread = rng.uniform(.1, 3);
    for (std::int64_t s = 0; s < subjects; ++s)
      data.values.push_back(static_cast<float>(mean + spread * rng.normal()));
  }
  return data;
}

}  // namespace aladdin::testing
