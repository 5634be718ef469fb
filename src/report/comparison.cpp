#include <fmt/format.h>

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "aladdin/evaluate/comparison.h"
#include "aladdin/report/chart.h"
#include "aladdin/report/facts.h"
#include "aladdin/report/html.h"

namespace aladdin::report {
namespace {

std::vector<std::string> header_of(const RunFindings& first,
                                   std::span<const evaluate::Group> groups) {
  std::vector<std::string> header{"run", "atlas", "similarity", "atlas pairs", "image pairs"};
  for (const auto& row : evaluate::rows_of(*first.evaluation, groups)) {
    const bool structure = row.structures.size() == 1 && parse_integer(row.name);
    header.push_back(structure ? first.data.label_name(first.evaluation->table[row.structures[0]])
                               : row.name);
  }
  header.push_back("folds per subject");
  return header;
}

std::vector<std::string> line_of(const RunFindings& run, std::span<const evaluate::Group> groups) {
  const auto weight = [](double value) { return value > 0 ? format_number(value) : "no"; };
  std::vector<std::string> line{run.data.name};
  if (run.data.config) {
    const Config& c = *run.data.config;
    line.insert(line.end(),
                {std::string(name_of(c.atlas.update)), std::string(name_of(c.loss.similarity)),
                 weight(c.loss.gamma1), weight(c.loss.gamma2)});
  } else {
    line.insert(line.end(), 4, "\u2013");
  }
  for (const auto& row : evaluate::rows_of(*run.evaluation, groups)) {
    const auto s = statistic_of(*run.evaluation, evaluate::Measure::bridge, row.structures);
    line.push_back(s.count ? fmt::format("{:.2f} ({:.2f})", 100 * s.mean, 100 * s.sd) : "\u2013");
  }
  double folds = 0;
  for (const auto& subject : run.evaluation->subjects) folds += double(subject.to_atlas.negative);
  line.push_back(fmt::format("{:.2f}", folds / double(run.evaluation->subjects.size())));
  return line;
}

std::vector<const RunFindings*> evaluated(std::span<const RunFindings> runs) {
  std::vector<const RunFindings*> out;
  for (const RunFindings& run : runs)
    if (run.evaluation) out.push_back(&run);
  return out;
}

// Runs may have other structures than the first: their columns would not line up.
bool same_structures(const std::vector<const RunFindings*>& runs) {
  return std::all_of(runs.begin(), runs.end(), [&](const RunFindings* run) {
    return run->evaluation->table == runs.front()->evaluation->table;
  });
}

std::string tests_html(const std::vector<const RunFindings*>& runs,
                       std::span<const evaluate::Group> groups) {
  std::vector<evaluate::Evaluation> all;
  for (const RunFindings* run : runs) {
    all.push_back(*run->evaluation);
    all.back().name = run->data.name;
  }
  HtmlTable table;
  table.caption = "Paired by subject: Wilcoxon's signed-rank test, p corrected by Holm";
  table.header = {"first", "second", "row", "difference", "subjects", "p"};
  table.numeric = {false, false, false, true, true, true};
  try {
    for (const auto& test : evaluate::compare(all, groups))
      table.rows.push_back({test.first, test.second, test.row,
                            fmt::format("{:+.4f}", test.difference),
                            fmt::format("{}", test.subjects), format_number(test.p_holm, 2)});
  } catch (const Error& error) {
    return note_html(fmt::format("No paired tests: {}.", error.what()));
  }
  return to_html(table);
}

}  // namespace

std::string comparison_html(std::span<const RunFindings> runs,
                            std::span<const evaluate::Group> groups) {
  const auto good = evaluated(runs);
  if (good.size() < 2) return "";
  if (!same_structures(good))
    return note_html("The runs have different structures, so there is no common table.");
  HtmlTable table;
  table.caption = "Atlas as a bridge: Dice in percent, mean (sd) over subjects";
  table.header = header_of(*good.front(), groups);
  table.numeric.assign(table.header.size(), true);
  std::fill_n(table.numeric.begin(), 5, false);
  for (const RunFindings* run : good) table.rows.push_back(line_of(*run, groups));
  return to_html(table) + tests_html(good, groups);
}

std::string comparison_csv(std::span<const RunFindings> runs,
                           std::span<const evaluate::Group> groups) {
  const auto good = evaluated(runs);
  if (good.size() < 2 || !same_structures(good)) return "";
  std::string text;
  const auto add = [&](const std::vector<std::string>& line) {
    for (std::size_t c = 0; c < line.size(); ++c) text += (c ? "," : "") + csv_field(line[c]);
    text += "\n";
  };
  add(header_of(*good.front(), groups));
  for (const RunFindings* run : good) add(line_of(*run, groups));
  return text;
}

}  // namespace aladdin::report
