#include <fmt/format.h>

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "aladdin/report/facts.h"
#include "aladdin/report/html.h"
#include "aladdin/report/page_template.h"
#include "aladdin/report/report.h"
#include "aladdin/report/viewer_data.h"

namespace aladdin::report {
namespace {

struct Tab {
  std::string id, name, body;
};

template <class... Figures>
std::vector<Figure> those_there(Figures&&... figures) {
  std::vector<Figure> out;
  (
      [&] {
        if (figures) out.push_back(std::move(*figures));
      }(),
      ...);
  return out;
}

void add_tab(std::vector<Tab>& tabs, const char* id, const char* name, std::string body) {
  if (!body.empty()) tabs.push_back({id, name, std::move(body)});
}

std::string block(const std::vector<Figure>& figures, std::string_view style = "") {
  return figures.empty() ? "" : figures_html(figures, style);
}

std::string tabs_html(const std::vector<Tab>& tabs, std::size_t run) {
  std::string list = "<div class=\"tabs\" role=\"tablist\" aria-label=\"Parts of the report\">\n";
  std::string panels;
  for (std::size_t t = 0; t < tabs.size(); ++t) {
    const std::string id = fmt::format("{}-{}", tabs[t].id, run);
    list += fmt::format(
        "<button type=\"button\" role=\"tab\" id=\"tab-{0}\" aria-controls=\"panel-{0}\" "
        "data-tab=\"{1}\" aria-selected=\"{2}\" tabindex=\"{3}\">{4}</button>\n",
        id, tabs[t].id, t == 0 ? "true" : "false", t == 0 ? 0 : -1, escape(tabs[t].name));
    panels += fmt::format(
        "<section role=\"tabpanel\" id=\"panel-{0}\" aria-labelledby=\"tab-{0}\"{1}>\n{2}</section>\n",
        id, t == 0 ? "" : " hidden", tabs[t].body);
  }
  return list + "</div>\n" + panels;
}

std::string run_html(const RunFindings& run, std::size_t number) {
  const std::span<const RunFindings> alone(&run, 1);
  std::vector<Tab> tabs;
  add_tab(tabs, "atlas", "Atlas",
          block(those_there(atlas_means(alone), atlas_evolution(run)), "wide"));
  add_tab(tabs, "accuracy", "Accuracy",
          block(those_there(dice_boxes(run), worst_subjects(run)), "wide"));
  add_tab(tabs, "training", "Training", block(training_curves(alone)));
  add_tab(tabs, "deformation", "Deformations",
          block(those_there(jacobian_histogram(run), smallest_jacobians(run),
                            displacement_lengths(run), centrality_map(run)),
                "wide") +
              block(deformation_grids(run)));
  add_tab(tabs, "cohort", "Cohort", cohort_html(run) + subjects_html(run));
  add_tab(tabs, "facts", "Facts", settings_html(run) + reproduce_html(run));
  std::string notes;
  for (const auto& note : run.data.notes) notes += note_html(note);
  return fmt::format("<article class=\"run\" data-run=\"{}\"{}>\n<h2>{}</h2>\n{}{}{}</article>\n",
                     number, number == 0 ? "" : " hidden", escape(run.data.name), tiles_html(run),
                     notes, tabs_html(tabs, number));
}

std::string comparison_article(std::span<const RunFindings> runs, const ReportOptions& options) {
  if (runs.size() < 2) return "";
  const auto boxes = dice_of_runs(runs);
  const auto means = atlas_means(runs);
  std::string body = comparison_html(runs, options.groups);
  body += block(those_there(boxes, means), "wide") + block(training_curves(runs));
  return fmt::format(
      "<article class=\"run comparison\" data-run=\"comparison\" hidden>\n<h2>Comparison</h2>\n{}"
      "</article>\n",
      body);
}

std::string switcher_html(std::span<const RunFindings> runs) {
  if (runs.size() < 2) return "";
  std::string out = "<label class=\"switcher\">Run <select id=\"run-select\">\n";
  for (std::size_t r = 0; r < runs.size(); ++r)
    out += fmt::format("<option value=\"{}\">{}</option>\n", r, escape(runs[r].data.name));
  return out + "<option value=\"comparison\">Comparison of all</option></select></label>\n";
}

std::string title_of(std::span<const RunFindings> runs) {
  if (runs.size() > 1) return fmt::format("{} runs", runs.size());
  return runs[0].data.name;
}

std::string subtitle_of(std::span<const RunFindings> runs) {
  if (runs.size() > 1) return "side by side";
  const RunData& run = runs[0].data;
  // Those that made it; the others are only registered to it.
  const auto made = std::count_if(run.subjects.begin(), run.subjects.end(),
                                  [](const RunSubject& s) { return s.is_for_training(); });
  return fmt::format("{} of {}{}", run.record.is_done() ? "Atlas" : "Training an atlas",
                     counted(made, "subject"),
                     run.record.grid.empty() ? "" : " \u00b7 " + run.record.grid);
}

}  // namespace

std::string page_html(std::span<const RunFindings> runs, const ReportOptions& options) {
  if (runs.empty()) fail("there is no run to report");
  std::string articles;
  bool training = false;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    articles += run_html(runs[r], r);
    training = training || !runs[r].data.record.is_done();
  }
  articles += comparison_article(runs, options);
  std::vector<std::string> embedded;
  const std::string volumes =
      embedded_html(runs, static_cast<std::size_t>(options.embed_mb * 1e6), embedded);
  const std::string data =
      fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n{}",
                  json_for_script(viewer_json(runs, embedded)), volumes);
  return fill_template(page_template(), {{"TITLE", escape(title_of(runs))},
                                         {"SUBTITLE", escape(subtitle_of(runs))},
                                         {"SWITCHER", switcher_html(runs)},
                                         {"RUNS", articles},
                                         {"STATE", training ? "training" : "done"},
                                         {"DATA", data}});
}

}  // namespace aladdin::report
