// aladdin cohort: checks a cohort, describes it and chooses its working grid.
#include "aladdin/image/cohort.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/text.h"
#include "aladdin/image/dataset.h"
#include "cohort_flags.h"
#include "command.h"
#include "json.h"
#include "output.h"

namespace aladdin::app {
namespace {

struct Flags {
  CohortFlags cohort;
  std::string output;
  bool json = false, force = false;
};

// The smallest, median and largest value over the subjects.
struct Range {
  double low, middle, high;
};

template <class Value>
Range range_of(const std::vector<Subject>& subjects, Value&& value) {
  std::vector<double> all;
  for (std::size_t i = 0; i < subjects.size(); ++i) all.push_back(value(i));
  std::sort(all.begin(), all.end());
  return {all.front(), all[all.size() / 2], all.back()};
}

struct Summary {
  const Cohort& cohort;
  const std::vector<SubjectScan>& scans;
  const WorkingGrid& working;

  std::map<std::string, int> splits, axes;
  std::map<std::int32_t, int> labels;  // label to number of subjects
  int labelled = 0, masked = 0;
  std::vector<Range> size, spacing, shift;
  std::uint64_t bytes;

  Summary(const Cohort& people, const std::vector<SubjectScan>& seen, const WorkingGrid& grid)
      : cohort(people), scans(seen), working(grid), bytes(dataset_bytes(people, seen, grid)) {
    const auto& subjects = cohort.subjects;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      ++axes[axis_codes(subjects[i].grid)];
      if (!subjects[i].split.empty()) ++splits[subjects[i].split];
      labelled += subjects[i].label.has_value();
      masked += subjects[i].mask.has_value();
      for (const auto& [label, voxels] : scans[i].labels) ++labels[label];
    }
    for (int axis = 0; axis < cohort.dims; ++axis) {
      size.push_back(range_of(subjects, [&](std::size_t i) {
        return static_cast<double>(subjects[i].grid.size[axis]);
      }));
      spacing.push_back(
          range_of(subjects, [&](std::size_t i) { return subjects[i].grid.spacing[axis]; }));
    }
    for (int axis = 0; axis < cohort.dims; ++axis)
      shift.push_back(range_of(subjects, [&](std::size_t i) {
        return std::round(1e3 * working.shift[i][axis]) / 1e3 + 0.0;
      }));
  }
};

std::string format_ranges(const std::vector<Range>& ranges) {
  std::string text;
  for (const auto& range : ranges) {
    text += text.empty() ? "" : " x ";
    text += range.low == range.high ? fmt::format("{:.4g}", range.low)
                                    : fmt::format("{:.4g}..{:.4g}", range.low, range.high);
  }
  return text;
}

template <class Map>
std::string format_counts(const Map& counts) {
  std::string text;
  for (const auto& [name, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  return text;
}

std::string format_labels(const Summary& summary) {
  constexpr std::size_t kMost = 12;
  std::string text =
      fmt::format("{} in {}", summary.labels.size(), counted(summary.labelled, "subject"));
  std::size_t everywhere = 0, shown = 0;
  for (const auto& [label, count] : summary.labels) everywhere += count == summary.labelled;
  if (everywhere == summary.labels.size()) text += ", each in every subject";
  const bool few = summary.labels.size() <= kMost;
  for (const auto& [label, count] : summary.labels) {
    if (!few && count == summary.labelled) continue;
    if (++shown > kMost) continue;
    const auto name = summary.cohort.label_names.find(label);
    text += fmt::format("\n              {:>6}{}: {}", label,
                        name == summary.cohort.label_names.end() ? "" : " " + name->second,
                        counted(count, "subject"));
  }
  if (shown > kMost) text += fmt::format("\n              and {} more", shown - kMost);
  return text;
}

void print_text(const Summary& summary) {
  const Cohort& cohort = summary.cohort;
  const WorkingGrid& working = summary.working;
  const auto line = [](const char* name, const std::string& text) {
    put("{:<14}{}\n", name, text);
  };
  line("cohort", fmt::format("{} ({}, {}-D)", cohort.source, cohort.kind, cohort.dims));
  line("subjects", fmt::format("{}{}", cohort.subjects.size(),
                               summary.splits.empty() ? "" : ": " + format_counts(summary.splits)));
  line("sizes", format_ranges(summary.size) + " voxels");
  line("spacings", format_ranges(summary.spacing) + " mm");
  line("axes", summary.axes.size() > 6 ? fmt::format("{} different orders", summary.axes.size())
                                       : format_counts(summary.axes));
  line("labels", summary.labelled == 0 ? "none" : format_labels(summary));
  if (summary.masked > 0) line("masks", "in " + counted(summary.masked, "subject"));
  if (!cohort.covariates.empty())
    line("covariates", fmt::format("{}", fmt::join(cohort.covariates, ", ")));
  line("working grid", describe(working.visible));
  line("padded to", format_size(working.padded));
  line("shifts", format_ranges(summary.shift) + " mm along L, P" + (cohort.dims == 3 ? ", S" : ""));
  line("memory", fmt::format("{:.1f} MB for the images{}", static_cast<double>(summary.bytes) / 1e6,
                             summary.labelled > 0 ? " and labels" : ""));
}

Json to_json(const Summary& summary) {
  const Cohort& cohort = summary.cohort;
  Json out;
  out["source"] = cohort.source;
  out["kind"] = cohort.kind;
  out["dims"] = cohort.dims;
  out["count"] = cohort.subjects.size();
  out["splits"] = Json::object();
  for (const auto& [name, count] : summary.splits) out["splits"][name] = count;
  out["labels"] = Json::array();
  for (const auto& [label, count] : summary.labels) {
    Json entry{{"label", label}, {"subjects", count}};
    if (const auto name = cohort.label_names.find(label); name != cohort.label_names.end())
      entry["name"] = name->second;
    out["labels"].push_back(entry);
  }
  out["covariates"] = cohort.covariates;
  out["working_grid"] = describe_grid(summary.working.visible);
  out["padded_size"] = describe_grid(summary.working.padded)["size"];
  out["memory_bytes"] = summary.bytes;
  out["notes"] = cohort.notes;
  for (const auto& note : summary.working.notes) out["notes"].push_back(note);
  out["subjects"] = Json::array();
  for (std::size_t i = 0; i < cohort.subjects.size(); ++i) {
    const Subject& subject = cohort.subjects[i];
    Json entry{{"id", subject.id}, {"image", subject.image.string()}};
    if (subject.label) entry["label"] = subject.label->string();
    if (subject.mask) entry["mask"] = subject.mask->string();
    if (!subject.split.empty()) entry["split"] = subject.split;
    entry["grid"] = describe_grid(subject.grid);
    entry["shift_mm"] = summary.working.shift[i];
    entry["intensity"] = {summary.scans[i].intensity.low, summary.scans[i].intensity.high};
    out["subjects"].push_back(entry);
  }
  return out;
}

void run(const Flags& flags) {
  const WorkingGridOptions grid = flags.cohort.grid_options();
  if (!flags.output.empty()) {
    if (full_extension(flags.output) != ".csv")
      fail_usage("-o '{}' does not end in .csv", flags.output);
    require_writable(flags.output, flags.force);
  }
  Problems problems;
  const Cohort cohort = read_cohort(flags.cohort.source, flags.cohort.cohort, problems);
  if (!problems.any()) grid.validate(cohort.dims);
  const auto scans = scan_cohort(cohort, problems);
  const WorkingGrid working = choose_working_grid(cohort, scans, grid);
  for (const auto& note : cohort.notes) log::warn("{}", note);
  for (const auto& note : working.notes) log::warn("{}", note);
  const Summary summary(cohort, scans, working);
  if (!flags.output.empty()) write_cohort(flags.output, cohort);
  flags.json ? print_json(to_json(summary)) : print_text(summary);
}

std::function<void()> declare(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  add_cohort_flags(app, flags->cohort);
  app.add_option("-o,--output", flags->output, "Write the cohort as a CSV")->type_name("FILE");
  add_json(app, flags->json);
  add_force(app, flags->force);
  add_nan(app);
  add_threads(app);
  return [flags] { run(*flags); };
}

}  // namespace

Command cohort_command() {
  return {
      "cohort",
      "Check a cohort and choose its working grid",
      "Reads every header and every voxel of a cohort and reports all problems at once. Prints the "
      "subjects, the working grid and the memory that a build needs for them.",
      {{"cohort subjects.csv", "check the subjects of a CSV"},
       {"cohort images --labels labels -o subjects.csv", "make a CSV from two folders"},
       {"cohort 'study/*/T1.nii.gz' --downsample 2", "half resolution; quote the pattern"},
       {"cohort bids --suffix T2w --json", "the T2-weighted images of a BIDS tree, as JSON"}},
      declare};
}

}  // namespace aladdin::app
