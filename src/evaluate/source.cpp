#include "aladdin/evaluate/source.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/run/run_record.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::evaluate {
namespace {

bool is_there(const Path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::function<Chain()> reader(const Path& path) {
  return [path] { return read_transform(path); };
}

void report_missing(const std::string& folder, const std::vector<std::string>& missing) {
  constexpr std::size_t kMost = 5;
  if (missing.empty()) return;
  const std::vector<std::string> first(missing.begin(),
                                       missing.begin() + std::min(kMost, missing.size()));
  fail("'{}' needs {} that {} not there: {}{}", folder,
       counted(static_cast<long long>(missing.size()), "file"), missing.size() == 1 ? "is" : "are",
       fmt::join(first, ", "), missing.size() > kMost ? ", …" : "");
}

SourceSubject subject_of(const SubjectRecord& record, const RunDirectory& run) {
  SourceSubject subject;
  subject.id = record.id;
  subject.split = record.split;
  subject.label = record.label;
  if (is_there(record.image)) subject.image = record.image;
  subject.shift = record.shift_mm;
  subject.intensity = record.intensity;
  subject.covariates = {record.covariates.begin(), record.covariates.end()};
  subject.native_to_atlas = reader(run.transforms() / native_to_atlas_name(subject.id));
  subject.atlas_to_native = reader(run.transforms() / atlas_to_native_name(subject.id));
  return subject;
}

// Nothing of runs from before these were written.
std::optional<BuiltCentrality> built(const CentralityRecord& centrality, const RunRecord& record) {
  if (!centrality.mean_mm || !centrality.max_mm || !centrality.shift_mm) return std::nullopt;
  return BuiltCentrality{*centrality.mean_mm, *centrality.max_mm, *centrality.shift_mm,
                         std::ranges::count_if(record.subjects, &SubjectRecord::is_for_training)};
}

// In the order in which the subjects name them.
std::vector<std::string> covariate_names(const RunRecord& record) {
  std::vector<std::string> names;
  for (const SubjectRecord& subject : record.subjects)
    for (const auto& [name, unused] : subject.covariates)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

void read_atlas(Source& source, const RunDirectory& run, const RunRecord& record) {
  source.name = run.folder.string();
  source.atlas = run.atlas();
  source.atlas_is_mapped = true;
  if (is_there(run.atlas_labels())) source.segmentation = run.atlas_labels();
  source.label_names = record.cohort.label_names;
}

std::vector<std::string> missing_of(const Source& source) {
  if (is_there(source.atlas)) return {};
  return {"'" + source.atlas.string() + "'"};
}

}  // namespace

void select_split(Source& source, const std::string& split, Unlabelled unlabelled) {
  auto& subjects = source.subjects;
  if (subjects.empty()) fail("'{}' has no subjects", source.name);
  const auto is_in = [](const std::string& name) {
    return [name](const SourceSubject& subject) {
      return (subject.split.empty() ? "train" : subject.split) == name;
    };
  };
  const auto keep_labelled = [&] {
    if (unlabelled == Unlabelled::keep) return;
    const auto bare = [](const SourceSubject& subject) { return subject.label.empty(); };
    if (!std::all_of(subjects.begin(), subjects.end(), bare)) std::erase_if(subjects, bare);
  };
  std::string chosen = split;
  if (chosen.empty()) {
    keep_labelled();
    chosen = std::any_of(subjects.begin(), subjects.end(), is_in("val")) ? "val" : "all";
  }
  source.split = chosen;
  if (chosen != "all") std::erase_if(subjects, std::not_fn(is_in(chosen)));
  if (subjects.empty())
    throw Error(fmt::format("'{}' has no subject in the split '{}'", source.name, chosen))
        .hint(fmt::format("{} all takes every subject", option_name("split")));
  keep_labelled();
}

LabelNames label_names_of_run(const Path& folder) {
  return read_record({folder}).cohort.label_names;
}

Source atlas_of_run(const Path& folder) {
  Source source;
  const RunDirectory run{folder};
  read_atlas(source, run, read_finished_record(run));
  report_missing(source.name, missing_of(source));
  return source;
}

Source source_of_run(const Path& folder, const std::string& split, Unlabelled unlabelled) {
  const RunDirectory run{folder};
  const RunRecord record = read_finished_record(run);
  Source source;
  for (const SubjectRecord& subject : record.subjects)
    source.subjects.push_back(subject_of(subject, run));
  source.covariates = covariate_names(record);
  if (record.results) {
    source.velocity = built(record.results->velocity, record);
    source.displacement = built(record.results->displacement, record);
  }
  read_atlas(source, run, record);
  select_split(source, split, unlabelled);
  std::vector<std::string> missing = missing_of(source);
  const auto need = [&](const Path& path) {
    if (!is_there(path)) missing.push_back("'" + path.string() + "'");
  };
  for (const auto& subject : source.subjects) {
    if (!subject.label.empty()) need(subject.label);
    need(run.transforms() / native_to_atlas_name(subject.id));
    need(run.transforms() / atlas_to_native_name(subject.id));
  }
  report_missing(source.name, missing);
  return source;
}

}  // namespace aladdin::evaluate
