#include "aladdin/report/findings_page.h"

#include <fmt/format.h>

#include <cmath>

#include "aladdin/core/text.h"
#include "aladdin/report/encode.h"
#include "aladdin/report/findings_data.h"
#include "aladdin/report/html.h"
#include "aladdin/report/page_template.h"

namespace aladdin::report {
namespace {

const std::string kNone = "\u2013";

// Three digits that matter, with a true minus; a dash for what is no number.
std::string number(double value) {
  if (!std::isfinite(value)) return kNone;
  const double size = std::abs(value);
  std::string text = size != 0 && (size < 1e-3 || size >= 1e6) ? fmt::format("{:.2e}", size)
                     : size >= 100                             ? fmt::format("{:.0f}", size)
                     : size >= 10                              ? fmt::format("{:.1f}", size)
                     : size >= 1                               ? fmt::format("{:.2f}", size)
                                                               : fmt::format("{:#.3g}", size);
  return value < 0 ? "\u2212" + text : text;
}

std::string dof(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

// "t(96)", "F(2, 94)"
std::string statistic_of(const stats::Findings& f) {
  if (f.statistic == "F") return fmt::format("F({}, {})", dof(f.dof_test), dof(f.dof_error));
  return fmt::format("{}({})", f.statistic, dof(f.dof_error));
}

bool has_effect(const stats::Findings& f) { return f.statistic != "F"; }

const char* volume_unit(const stats::Findings& f) {
  return f.atlas.grid.dims == 2 ? "mm\u00b2" : "mm\u00b3";
}

std::string percent_of(double part, double whole) {
  return whole == 0 ? kNone : number(100 * part / whole);
}

std::string clusters_sentence(const stats::Findings& f) {
  return fmt::format("{} at p \u2264 {}, {}",
                     counted(static_cast<long long>(f.clusters.size()), "cluster"),
                     format_p(f.alpha), correction_of(f.maps).words);
}

std::string tiles(const stats::Findings& f) {
  std::string out = "<ul class=\"tiles\">\n";
  out += tile_html(
      statistic_of(f), "statistic",
      f.statistic == "F" ? "degrees of freedom: test, error" : "degrees of freedom of the error");
  out += tile_html(fmt::format("{}", f.ids.size()), "subjects", "");
  out += tile_html(f.permutations > 0 ? fmt::format("{}", f.permutations) : "none", "permutations",
                   f.permutations > 0 ? "" : "p comes from the distribution");
  out += tile_html(fmt::format("{}", f.clusters.size()),
                   f.clusters.size() == 1 ? "cluster" : "clusters",
                   fmt::format("p \u2264 {}, {}", format_p(f.alpha), correction_of(f.maps).words));
  if (!f.structures.empty()) {
    std::size_t found = 0;
    for (const auto& s : f.structures) found += s.p_fwe <= f.alpha ? 1U : 0U;
    out += tile_html(fmt::format("{} of {}", found, f.structures.size()), "structures",
                     fmt::format("p \u2264 {}, family-wise", format_p(f.alpha)));
  }
  return out + "</ul>\n";
}

std::string head(const stats::Findings& f) {
  std::string out = "<dl class=\"about\">\n";
  const auto line = [&](const char* what, const std::string& text) {
    if (!text.empty())
      out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", what, escape(text));
  };
  line("Model", f.model);
  line("Test", f.test);
  line("Measure", f.measure);
  line("Result", clusters_sentence(f) + ".");
  return out + "</dl>\n" + tiles(f);
}

std::string clusters_table(const stats::Findings& f) {
  if (f.clusters.empty())
    return fmt::format("<p class=\"none\">No voxel passes p \u2264 {}, {}.</p>\n",
                       format_p(f.alpha), correction_of(f.maps).words);
  HtmlTable table;
  table.caption = "Clusters";
  table.style = "sortable clusters";
  table.header = {"No.",          "Structure at the peak", "Voxels",
                  volume_unit(f), "Peak, mm LPS",          f.statistic};
  table.numeric = {false, false, true, true, true, true};
  const auto column = [&](const char* name) {
    table.header.emplace_back(name);
    table.numeric.push_back(true);
  };
  if (has_effect(f)) column("Effect");
  column("Partial r");
  column("p, corrected");
  for (std::size_t c = 0; c < f.clusters.size(); ++c) {
    const stats::Cluster& k = f.clusters[c];
    std::string peak;
    for (int axis = 0; axis < f.atlas.grid.dims; ++axis)
      peak += fmt::format("{}{}{:.1f}", axis == 0 ? "" : ", ", k.peak_mm[axis] < 0 ? "\u2212" : "",
                          std::abs(k.peak_mm[axis]));
    std::vector<std::string> row{fmt::format("{}", c + 1),
                                 k.structure.empty() ? kNone : k.structure,
                                 fmt::format("{}", k.voxels),
                                 number(k.volume),
                                 peak,
                                 number(k.statistic)};
    if (has_effect(f)) row.push_back(number(k.effect));
    row.push_back(number(k.partial_r));
    row.push_back(format_p(k.p_corrected));
    table.rows.push_back(row);
  }
  return to_html(table);
}

std::string structures_table(const stats::Findings& f) {
  if (f.structures.empty()) return "";
  HtmlTable table;
  table.caption = "Structures";
  table.style = "sortable structures";
  table.header = {"Structure", fmt::format("Mean, {}", volume_unit(f)), f.statistic};
  if (has_effect(f)) {
    table.header.emplace_back("Effect, %");
    table.header.emplace_back("95 % interval, %");
  }
  for (const char* name : {"Partial r", "p", "p, FDR", "p, family-wise"})
    table.header.emplace_back(name);
  table.numeric.assign(table.header.size(), true);
  table.numeric[0] = false;
  for (const auto& s : f.structures) {
    std::vector<std::string> row{s.name, number(s.mean), number(s.statistic)};
    if (has_effect(f)) {
      row.push_back(percent_of(s.effect, s.mean));
      row.push_back(s.mean == 0 ? kNone
                                : fmt::format("{} to {}", percent_of(s.effect_low, s.mean),
                                              percent_of(s.effect_high, s.mean)));
    }
    for (const std::string& cell :
         {number(s.partial_r), format_p(s.p), format_p(s.p_fdr), format_p(s.p_fwe)})
      row.push_back(cell);
    table.rows.push_back(row);
  }
  return to_html(table);
}

std::string notes(const stats::Findings& f) {
  std::string out;
  for (const auto& note : f.notes) out += note_html(note);
  return out;
}

}  // namespace

std::string format_p(double p) {
  if (!std::isfinite(p)) return kNone;
  if (p < .001) return "< .001";
  if (p >= .9995) return "1";
  std::string text = fmt::format("{:.3f}", p).substr(1);
  while (text.size() > 3 && text.back() == '0') text.pop_back();
  return text;
}

std::string findings_page(const stats::Findings& findings) {
  const std::string title = findings.title.empty() ? "Statistics" : findings.title;
  const std::string data = findings_data_html(findings);
  return fill_template(stats_page_template(), {{"TITLE", escape(title)},
                                               {"SUBTITLE", escape(findings.model)},
                                               {"HEAD", head(findings)},
                                               {"CLUSTERS", clusters_table(findings)},
                                               {"STRUCTURES", structures_table(findings)},
                                               {"NOTES", notes(findings)},
                                               {"DATA", data}});
}

}  // namespace aladdin::report
