#include "aladdin/evaluate/comparison.h"

#include <algorithm>
#include <map>

#include "aladdin/core/error.h"
#include "aladdin/evaluate/significance.h"

namespace aladdin::evaluate {
namespace {

// d^bridge of the subjects, by id.
std::map<std::string, double> by_id(const Evaluation& evaluation, const Row& row) {
  std::map<std::string, double> values;
  for (const auto& subject : evaluation.subjects)
    if (const auto value = value_of(subject, Measure::bridge, row.structures))
      values[subject.id] = *value;
  return values;
}

void require_shared_subject(const Evaluation& a, const Evaluation& b) {
  for (const auto& one : a.subjects)
    for (const auto& other : b.subjects)
      if (one.id == other.id) return;
  fail("'{}' and '{}' have no subject in common", a.name, b.name);
}

const Row* find_row(const std::vector<Row>& rows, const std::string& name) {
  const auto at =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

void compare_two(const Evaluation& a, const Evaluation& b, std::span<const Group> groups,
                 std::vector<PairedTest>& tests) {
  require_shared_subject(a, b);
  const auto rows_of_b = rows_of(b, groups);
  for (const Row& row : rows_of(a, groups)) {
    const Row* same = find_row(rows_of_b, row.name);
    if (!same) continue;
    const auto values_b = by_id(b, *same);
    std::vector<double> first, second;
    double sum = 0;
    for (const auto& [id, value] : by_id(a, row)) {
      const auto other = values_b.find(id);
      if (other == values_b.end()) continue;
      first.push_back(value);
      second.push_back(other->second);
      sum += value - other->second;
    }
    if (first.empty()) continue;
    const auto count = static_cast<std::int64_t>(first.size());
    tests.push_back({a.name, b.name, row.name, sum / static_cast<double>(count), count,
                     signed_rank_test(first, second).p, 1});
  }
}

}  // namespace

std::vector<PairedTest> compare(std::span<const Evaluation> evaluations,
                                std::span<const Group> groups) {
  std::vector<PairedTest> tests;
  for (std::size_t i = 0; i < evaluations.size(); ++i)
    for (std::size_t j = i + 1; j < evaluations.size(); ++j)
      if (evaluations[i].has_labels() && evaluations[j].has_labels())
        compare_two(evaluations[i], evaluations[j], groups, tests);
  std::vector<double> p;
  for (const auto& test : tests) p.push_back(test.p);
  const auto corrected = holm(p);
  for (std::size_t t = 0; t < tests.size(); ++t) tests[t].p_holm = corrected[t];
  return tests;
}

std::string to_text(std::span<const Evaluation> evaluations, std::span<const Group> groups,
                    std::span<const PairedTest> tests) {
  if (tests.empty()) return "labels on one side only: no tests\n";
  std::size_t width = 6, row_width = 4;
  for (const auto& e : evaluations) width = std::max(width, e.name.size());
  for (const auto& test : tests) row_width = std::max(row_width, test.row.size());
  std::string text = "bridge Dice";
  for (const auto& e : evaluations) {
    text += fmt::format("\n{:<{}}", e.name, width);
    for (const Row& row : rows_of(e, groups)) {
      const Statistic s = statistic_of(e, Measure::bridge, row.structures);
      text += s.count == 0 ? fmt::format("  {} -", row.name)
                           : fmt::format("  {} {:.4f} ({:.4f})", row.name, s.mean, s.sd);
    }
  }
  text += "\n\nWilcoxon signed-rank tests of bridge Dice, two-sided\n";
  for (const auto& t : tests)
    text += fmt::format("{:<{}}  {} - {}: {:+.4f}, n = {}, p = {:.3g}, Holm {:.3g}\n", t.row,
                        row_width, t.first, t.second, t.difference, t.subjects, t.p, t.p_holm);
  return text;
}

nlohmann::ordered_json to_json(std::span<const PairedTest> tests) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& t : tests)
    out.push_back({{"measure", "bridge"},
                   {"row", t.row},
                   {"first", t.first},
                   {"second", t.second},
                   {"difference", t.difference},
                   {"subjects", t.subjects},
                   {"p", t.p},
                   {"p_holm", t.p_holm}});
  return out;
}

}  // namespace aladdin::evaluate
