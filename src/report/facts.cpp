#include "aladdin/report/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "aladdin/config/presets.h"
#include "aladdin/config/write.h"
#include "aladdin/core/progress.h"
#include "aladdin/core/text.h"
#include "aladdin/report/chart.h"
#include "aladdin/report/html.h"

namespace aladdin::report {
namespace {

constexpr const char* kNothing = "\u2013";

std::string shown(const std::string& text) { return text.empty() ? kNothing : text; }

template <class Number>
std::string shown(const std::optional<Number>& value) {
  return value ? fmt::format("{}", *value) : kNothing;
}

std::string joined(const auto& numbers) {
  std::string text;
  for (const auto value : numbers)
    text += fmt::format("{}{:.4g}", text.empty() ? "" : " x ", double(value));
  return shown(text);
}

std::string number(const std::optional<double>& value, const char* format = "{:.3f}") {
  return value ? fmt::format(fmt::runtime(format), *value) : kNothing;
}

const evaluate::SubjectScores* scores_of(const RunFindings& run, const std::string& id) {
  if (run.evaluation)
    for (const auto& scores : run.evaluation->subjects)
      if (scores.id == id) return &scores;
  return nullptr;
}

std::string splits_of(const RunData& run) {
  std::map<std::string, long long> counts;
  for (const RunSubject& subject : run.subjects)
    ++counts[subject.is_for_training() ? "train" : subject.split];
  std::string text;
  for (const char* split : {"train", "val", "test"})
    if (counts[split])
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[split], split);
  return text;
}

// Links on a page that is served (web/src/tables.js).
std::string files_html(const RunData& run) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(run.run.folder, ignored))
    if (const std::string name = entry.path().filename().string();
        entry.is_regular_file(ignored) && !name.starts_with('.'))
      names.push_back(name);
  std::sort(names.begin(), names.end());
  std::string out = "<h3>Files of the run</h3>\n<ul class=\"files\">\n";
  for (const auto& name : names) out += "<li>" + escape(name) + "</li>\n";
  return out + "</ul>\n";
}

std::string training_tiles(const RunData& run) {
  const auto& m = run.metrics;
  if (m.rows() == 0) return tile_html(kNothing, "no epoch yet", "");
  const std::size_t last = m.rows() - 1;
  std::string out = tile_html(number(m.at("epoch", last), "{:.0f}"), "epochs", "still training");
  if (const auto done = m.at("fraction", last))
    out += tile_html(fmt::format("{:.0f} %", 100 * *done), "of the training", "");
  out += tile_html(number(m.at("energy", last), "{:.4g}"), "energy", "last epoch");
  for (std::size_t row = m.rows(); row-- > 0;)
    if (const auto dice = m.at("val_bridge_dice", row)) {
      out += tile_html(number(dice), "working-grid Dice",
                       fmt::format("validation, epoch {}", number(m.at("epoch", row), "{:.0f}")));
      break;
    }
  return out;
}

// Whose choice a setting was.
std::string origin_of(const std::string& key, const RunData& run) {
  const auto& chosen = run.record.chosen;
  if (std::find(chosen.begin(), chosen.end(), key) != chosen.end()) return "chosen for this cohort";
  const std::string name = shown(run.record.preset);
  const auto names = preset_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) return "the command";
  for (const auto& difference : differences(*run.config, preset(name)))
    if (difference.key == key) return "the command";
  return "preset " + name;
}

}  // namespace

std::string tiles_html(const RunFindings& run) {
  const RunData& data = run.data;
  std::string out = "<ul class=\"tiles\">\n";
  const RunResults results = data.record.results.value_or(RunResults{});
  if (!data.record.is_done()) out += training_tiles(data);
  if (run.evaluation && run.evaluation->bridge.mean.count > 0)
    out += tile_html(
        fmt::format("{:.3f}", run.evaluation->bridge.mean.mean), "bridge Dice",
        fmt::format("\u00b1 {:.3f}, mean of {} (split {})", run.evaluation->bridge.mean.sd,
                    counted(static_cast<long long>(run.evaluation->subjects.size()), "subject"),
                    run.split));
  if (results.folds)
    out += tile_html(fmt::format("{}", *results.folds), "folded voxels",
                     fmt::format("in {}, both ways",
                                 counted(static_cast<long long>(data.subjects.size()), "subject")));
  out += tile_html(fmt::format("{}", data.subjects.size()), "subjects", splits_of(data));
  const auto all = static_cast<long long>(data.subjects.size());
  if (results.inverse_error_mm)
    out += tile_html(fmt::format("{:.4f} mm", *results.inverse_error_mm), "inverse error",
                     fmt::format("mean of {}", counted(all, "subject")));
  else if (results.inverse_error_vox)  // of runs until 0.1.0
    out += tile_html(fmt::format("{:.3f}", *results.inverse_error_vox), "inverse error",
                     "voxels, on the padded grid, before the export");
  if (results.displacement.mean_mm)
    out += tile_html(
        fmt::format("{:.4f} mm", *results.displacement.mean_mm), "mean displacement",
        fmt::format("of {}", counted(std::count_if(data.subjects.begin(), data.subjects.end(),
                                                   [](const RunSubject& subject) {
                                                     return subject.is_for_training();
                                                   }),
                                     "training subject")));
  if (data.record.timing)
    out += tile_html(format_duration(60 * data.record.timing->training_minutes), "training",
                     fmt::format("{} epochs", shown(results.epochs)));
  return out + "</ul>\n";
}

std::string subjects_html(const RunFindings& run) {
  HtmlTable table;
  table.caption = "Every subject";
  table.style = "subjects sortable";
  table.header = {"id",     "split",          "size",  "spacing (mm)",    "bridge Dice",
                  "energy", "smallest det J", "folds", "moved, mean (mm)"};
  table.numeric = {false, false, true, true, true, true, true, true, true};
  std::map<std::size_t, const SubjectSurvey*> surveyed;
  if (run.survey)
    for (const auto& subject : run.survey->subjects) surveyed[subject.subject] = &subject;
  for (std::size_t i = 0; i < run.data.subjects.size(); ++i) {
    const RunSubject& s = run.data.subjects[i];
    const auto* scores = scores_of(run, s.id);
    const auto value = [&](const char* column, const char* format) {
      return number(run.data.score(s, column), format);
    };
    table.rows.push_back(
        {s.id, s.split.empty() ? "train" : s.split, joined(s.size), joined(s.spacing_mm),
         scores ? number(scores->bridge.mean) : kNothing, value("energy", "{:.4f}"),
         value("smallest_jacobian", "{:.3f}"), value("folds", "{:.0f}"),
         surveyed.contains(i) ? fmt::format("{:.2f}", surveyed[i]->mean_mm) : kNothing});
  }
  return to_html(table);
}

std::string cohort_html(const RunFindings& run) {
  const RunRecord& record = run.data.record;
  HtmlTable table;
  table.caption = "Cohort";
  table.style = "facts";
  table.rows = {{"source", shown(record.cohort.source)},
                {"kind", shown(record.cohort.kind)},
                {"subjects", fmt::format("{} ({})", run.data.subjects.size(), splits_of(run.data))},
                {"working grid", shown(record.grid)}};
  std::size_t labelled = 0;
  for (const RunSubject& s : run.data.subjects) labelled += !s.label.empty();
  table.rows.push_back({"with labels", fmt::format("{}", labelled)});
  std::string out = to_html(table);
  for (const std::string& note : record.cohort.notes) out += note_html(note);
  if (record.cohort.notes.empty() && !record.cohort.source.empty())
    out += note_html("No subject was excluded, and the cohort gave no warnings.");
  return out;
}

std::string settings_html(const RunFindings& run) {
  if (!run.data.config) return note_html("config.toml could not be read.");
  HtmlTable table;
  table.caption = "Settings that differ from the defaults";
  table.style = "facts";
  table.header = {"setting", "here", "default", "from"};
  for (const auto& difference : differences(*run.data.config, Config{}))
    table.rows.push_back(
        {difference.key, difference.value, difference.base, origin_of(difference.key, run.data)});
  if (table.rows.empty()) return note_html("All settings are the defaults.");
  return to_html(table);
}

std::string reproduce_html(const RunFindings& run) {
  const RunRecord& record = run.data.record;
  HtmlTable table;
  table.caption = "How it was made";
  table.style = "facts";
  for (const auto& [name, version] : record.versions) table.rows.push_back({name, version});
  table.rows.insert(table.rows.end(), {{"seed", shown(record.seed)},
                                       {"preset", shown(record.preset)},
                                       {"settings", shown(record.settings)},
                                       {"device", shown(record.device)},
                                       {"threads", shown(record.threads)}});
  if (record.results && record.results->epochs)
    table.rows.push_back({"epochs, steps", fmt::format("{}, {}", *record.results->epochs,
                                                       record.results->steps.value_or(0))});
  if (record.timing) {
    table.rows.push_back({"training", format_duration(60 * record.timing->training_minutes)});
    table.rows.push_back({"peak memory", fmt::format("{:.2f} GB", record.timing->peak_memory_gb)});
  }
  std::string out = to_html(table) + "<h3>Reproduce this run</h3>\n";
  out += command_html(shown(record.command));
  if (run.evaluation)
    out += "<p>Print the Dice of this page:</p>\n" +
           command_html(fmt::format("aladdin evaluate {} --split {}", run.data.run.folder.string(),
                                    run.split));
  out += files_html(run.data);
  out +=
      "<h3>How to cite</h3>\n<p>Zhipeng Ding and Marc Niethammer. <cite>Aladdin: Joint Atlas Building "
      "and Diffeomorphic Registration Learning with Pairwise Alignment.</cite> Proceedings of the "
      "IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR), 2022, pages "
      "20784\u201320793.</p>\n";
  return out;
}

}  // namespace aladdin::report
