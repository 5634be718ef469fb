#include "method_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "aladdin/config/methods.h"
#include "aladdin/config/write.h"
#include "aladdin/core/text.h"
#include "aladdin/evaluate/significance.h"
#include "aladdin/report/html.h"
#include "json.h"

namespace aladdin::app {
namespace {

using evaluate::Measure;

struct Column {
  std::string name;
  bool numeric;
};

// The requested groups, or every structure; then the mean of all.
std::vector<evaluate::Row> rows_shown(const evaluate::Evaluation& evaluation,
                                      const std::vector<evaluate::Group>& groups) {
  auto rows = evaluate::rows_of(evaluation, groups);
  const auto is_shown = [&](const evaluate::Row& row) {
    if (row.name == "mean") return false;
    const bool group = std::any_of(groups.begin(), groups.end(),
                                   [&](const auto& g) { return g.name == row.name; });
    return groups.empty() ? rows.size() <= 8 : group;
  };
  std::vector<evaluate::Row> shown;
  for (const auto& row : rows)
    if (is_shown(row)) shown.push_back(row);
  for (const auto& row : rows)
    if (row.name == "mean") shown.push_back(row);
  return shown;
}

const evaluate::Evaluation* first_evaluation(const MethodTable& table) {
  for (const auto& result : table.results)
    if (result.outcome) return &result.outcome->evaluation;
  return nullptr;
}

std::vector<Column> columns_of(const MethodTable& table) {
  std::vector<Column> out{{"line", false},       {"method", false},     {"affine", false},
                          {"atlas", false},      {"similarity", false}, {"atlas pairs", false},
                          {"image pairs", false}};
  if (const auto* first = first_evaluation(table))
    for (const auto& row : rows_shown(*first, table.groups))
      out.push_back({row.name == "mean" ? "all" : row.name, true});
  for (const char* name : {"folds", "minutes", "GB"}) out.push_back({name, true});
  return out;
}

// What the method says of itself, or what the settings do.
std::string shown(std::string_view of_method, std::string_view of_settings) {
  return std::string(of_method.empty() ? of_settings : of_method);
}

double folds_of(const evaluate::Evaluation& evaluation) {
  double folds = 0;
  for (const auto& subject : evaluation.subjects) folds += double(subject.to_atlas.negative);
  return folds / double(evaluation.subjects.size());
}

std::vector<std::string> cells_of(const MethodResult& result, const MethodTable& table) {
  const Config& c = result.config;
  const MethodDescription& method = method_of(c);
  const auto yes = [](bool is) { return is ? "yes" : "no"; };
  std::vector<std::string> out{
      result.line.id,
      result.line.name,
      yes(c.train.affine),
      shown(method.atlas, row_of(c.atlas.update).title),
      shown(c.train.affine ? "" : method.similarity, name_of(c.loss.similarity)),
      shown(method.atlas_pairs, yes(c.loss.gamma1 > 0)),
      shown(method.image_pairs, yes(c.loss.gamma2 > 0))};
  if (!result.outcome) {
    while (out.size() < columns_of(table).size()) out.push_back("-");
    return out;
  }
  const auto& evaluation = result.outcome->evaluation;
  for (const auto& row : rows_shown(evaluation, table.groups)) {
    const auto s = statistic_of(evaluation, Measure::bridge, row.structures);
    out.push_back(s.count ? fmt::format("{:.2f} ({:.2f})", 100 * s.mean, 100 * s.sd) : "-");
  }
  out.push_back(fmt::format("{:.2f}", folds_of(evaluation)));
  out.push_back(fmt::format("{:.1f}", result.outcome->minutes));
  out.push_back(fmt::format("{:.2f}", result.outcome->memory_gb));
  return out;
}

std::vector<std::vector<std::string>> all_cells(const MethodTable& table) {
  std::vector<std::vector<std::string>> out;
  for (const auto& result : table.results) out.push_back(cells_of(result, table));
  return out;
}

std::map<std::string, double> mean_dice(const evaluate::Evaluation& evaluation) {
  std::map<std::string, double> out;
  for (const auto& subject : evaluation.subjects)
    if (subject.bridge.mean) out[subject.id] = *subject.bridge.mean;
  return out;
}

std::string finding_text(const Finding& f) {
  return fmt::format("finding {}: {}: {:+.2f} points of Dice, n = {}, p = {:.2g}", f.contrast.name,
                     f.contrast.question, 100 * f.difference, f.subjects, f.p);
}

constexpr const char* kCaption =
    "Atlas as a bridge: Dice in percent, mean (sd) over subjects; folds per subject in the field that "
    "pulls it to the atlas; minutes of training; peak memory";

std::string caption_of(const MethodTable& table) {
  return fmt::format("{}. {}", kCaption, table.how);
}

std::string latex_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::vector<Finding> findings_of(const MethodTable& table) {
  std::map<std::string, std::map<std::string, double>> dice;
  for (const auto& result : table.results)
    if (result.outcome && result.outcome->evaluation.has_labels())
      dice[result.line.id] = mean_dice(result.outcome->evaluation);
  std::vector<Finding> out;
  for (const Contrast& contrast : contrasts()) {
    Finding finding{contrast, 0, 0, 1};
    std::erase_if(finding.contrast.pairs, [&](const auto& pair) {
      return !dice.count(pair.first) || !dice.count(pair.second);
    });
    if (finding.contrast.pairs.empty()) continue;
    const double share = 1.0 / double(finding.contrast.pairs.size());
    std::map<std::string, double> first, second;
    for (const auto& [a, b] : finding.contrast.pairs)
      for (const auto& [id, value] : dice[a])
        if (const auto other = dice[b].find(id); other != dice[b].end()) {
          first[id] += share * value;
          second[id] += share * other->second;
        }
    std::vector<double> x, y;
    for (const auto& [id, value] : first) {
      x.push_back(value);
      y.push_back(second[id]);
      finding.difference += (value - second[id]) / double(first.size());
    }
    finding.subjects = static_cast<std::int64_t>(x.size());
    finding.p = evaluate::signed_rank_test(x, y).p;
    out.push_back(finding);
  }
  return out;
}

std::string to_text(const MethodTable& table) {
  const auto columns = columns_of(table);
  const auto cells = all_cells(table);
  std::vector<std::size_t> width;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    width.push_back(columns[c].name.size());
    for (const auto& line : cells) width[c] = std::max(width[c], line[c].size());
  }
  std::string text;
  const auto add = [&](const auto& value) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      text += columns[c].numeric ? fmt::format("{:>{}}", value(c), width[c] + 2)
                                 : fmt::format("{:<{}}", value(c), width[c] + 2);
    text += "\n";
  };
  add([&](std::size_t c) { return columns[c].name; });
  for (const auto& line : cells) add([&](std::size_t c) { return line[c]; });
  for (const auto& result : table.results)
    if (!result.outcome) text += fmt::format("{}: {}\n", result.line.id, result.failure);
  const auto findings = findings_of(table);
  if (!findings.empty()) text += "\nbridge Dice of all structures, Wilcoxon signed-rank tests\n";
  for (const Finding& finding : findings) text += finding_text(finding) + "\n";
  return text;
}

std::string to_csv(const MethodTable& table) {
  std::string text;
  const auto columns = columns_of(table);
  for (std::size_t c = 0; c < columns.size(); ++c)
    text += (c ? "," : "") + csv_field(columns[c].name);
  text += "\n";
  for (const auto& line : all_cells(table)) {
    for (std::size_t c = 0; c < line.size(); ++c) text += (c ? "," : "") + csv_field(line[c]);
    text += "\n";
  }
  return text;
}

std::string to_markdown(const MethodTable& table) {
  std::string text = caption_of(table) + ".\n\n|", rule = "|";
  for (const auto& column : columns_of(table)) {
    text += fmt::format(" {} |", column.name);
    rule += column.numeric ? "---:|" : "---|";
  }
  text += "\n" + rule + "\n";
  for (const auto& line : all_cells(table)) text += fmt::format("| {} |\n", fmt::join(line, " | "));
  const auto findings = findings_of(table);
  if (!findings.empty())
    text += "\nFindings (all structures, Wilcoxon's signed-rank test by subject):\n\n";
  for (const Finding& finding : findings) text += "- " + finding_text(finding) + "\n";
  return text;
}

std::string to_latex(const MethodTable& table) {
  std::string shape, head, body;
  for (const auto& column : columns_of(table)) {
    shape += column.numeric ? 'r' : 'l';
    head += (head.empty() ? "" : " & ") + latex_escaped(column.name);
  }
  for (const auto& line : all_cells(table)) {
    std::vector<std::string> cells;
    for (const auto& cell : line)
      cells.push_back(cell == "yes"  ? "\\checkmark"
                      : cell == "no" ? "$\\times$"
                                     : latex_escaped(cell));
    body += fmt::format("{} \\\\\n", fmt::join(cells, " & "));
  }
  return fmt::format(
      "% {}\n\\begin{{tabular}}{{{}}}\n\\hline\n{} \\\\\n\\hline\n{}\\hline\n\\end{{tabular}}\n",
      latex_escaped(caption_of(table)), shape, head, body);
}

std::string to_json_text(const MethodTable& table) {
  Json out{{"format", "aladdin comparison"},
           {"version", 1},
           {"how", table.how},
           {"lines", Json::array()}};
  for (const auto& result : table.results) {
    Json line{{"line", result.line.id},
              {"method", result.line.name},
              {"preset", result.line.preset},
              {"changes", result.line.changes},
              {"settings", to_toml(result.config)}};
    if (result.outcome) {
      line["evaluation"] = evaluate::to_json(result.outcome->evaluation, table.groups);
      line["folds"] = folds_of(result.outcome->evaluation);
      line["minutes"] = result.outcome->minutes;
      line["memory_gb"] = result.outcome->memory_gb;
    } else {
      line["failure"] = result.failure;
    }
    out["lines"].push_back(line);
  }
  out["findings"] = Json::array();
  for (const Finding& f : findings_of(table))
    out["findings"].push_back({{"name", f.contrast.name},
                               {"question", f.contrast.question},
                               {"pairs", f.contrast.pairs},
                               {"difference", f.difference},
                               {"subjects", f.subjects},
                               {"p", f.p}});
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_page(const MethodTable& table) {
  report::HtmlTable lines;
  lines.caption = caption_of(table);
  for (const auto& column : columns_of(table)) {
    lines.header.push_back(column.name);
    lines.numeric.push_back(column.numeric);
  }
  lines.rows = all_cells(table);
  report::HtmlTable found;
  found.caption = "Findings: all structures, Wilcoxon's signed-rank test by subject";
  found.header = {"", "question", "difference, points", "subjects", "p"};
  found.numeric = {false, false, true, true, true};
  for (const Finding& f : findings_of(table))
    found.rows.push_back({"finding " + f.contrast.name, f.contrast.question,
                          fmt::format("{:+.2f}", 100 * f.difference), fmt::format("{}", f.subjects),
                          fmt::format("{:.2g}", f.p)});
  return report::plain_page(table.title,
                            to_html(lines) + (found.rows.empty() ? "" : to_html(found)));
}

}  // namespace aladdin::app
