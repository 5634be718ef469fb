#include "aladdin/evaluate/source.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/image/cohort.h"
#include "aladdin/run/run_directory.h"
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

SourceSubject read_subject(const RunRecord& entry, const RunDirectory& run) {
  SourceSubject subject;
  subject.id = entry.at("id").get<std::string>();
  if (const std::string reason = check_id(subject.id); !reason.empty())
    fail("'{}' has a subject '{}' that aladdin build did not write: {}", run.record().string(),
         subject.id, reason);
  subject.split = entry.value("split", "");
  subject.label = entry.value("label", "");
  subject.image = entry.value("image", "");
  if (!is_there(subject.image)) subject.image.clear();
  if (entry.contains("shift_mm")) entry.at("shift_mm").get_to(subject.shift);
  if (entry.contains("intensity"))
    subject.intensity = IntensityMap{entry.at("intensity").at(0).get<float>(),
                                     entry.at("intensity").at(1).get<float>()};
  if (const auto found = entry.find("covariates"); found != entry.end())
    for (const auto& [name, value] : found->items())
      subject.covariates[name] = value.get<std::string>();
  subject.native_to_atlas = reader(run.transforms() / native_to_atlas_name(subject.id));
  subject.atlas_to_native = reader(run.transforms() / atlas_to_native_name(subject.id));
  return subject;
}

// results.<name>_mm, _max_mm and _shift_mm; of runs from before these were written nothing.
std::optional<BuiltCentrality> read_centrality(const RunRecord& record, const std::string& name) {
  const auto results = record.find("results");
  if (results == record.end() || !results->contains(name + "_shift_mm")) return std::nullopt;
  BuiltCentrality out{results->at(name + "_mm").get<double>(),
                      results->at(name + "_max_mm").get<double>(),
                      results->at(name + "_shift_mm").get<double>(), 0};
  for (const auto& entry : record.at("subjects")) {
    const std::string split = entry.value("split", "");
    out.subjects += split.empty() || split == "train";
  }
  return out;
}

LabelNames names_of(const RunDirectory& run, const RunRecord& record) {
  LabelNames names;
  try {
    const auto cohort = record.find("cohort");
    if (cohort == record.end() || !cohort->contains("label_names")) return names;
    for (const auto& [label, name] : cohort->at("label_names").items())
      if (const auto value = parse_integer(label))
        names[static_cast<std::int32_t>(*value)] = name.get<std::string>();
  } catch (const nlohmann::json::exception&) {
    fail("'{}' has names of labels that aladdin build did not write", run.record().string());
  }
  return names;
}

// In the order in which the subjects name them.
std::vector<std::string> read_covariate_names(const RunRecord& record) {
  std::vector<std::string> names;
  for (const auto& entry : record.at("subjects"))
    if (const auto found = entry.find("covariates"); found != entry.end())
      for (const auto& [name, unused] : found->items())
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

RunRecord read_finished(const RunDirectory& run) {
  RunRecord record = read_record(run);
  if (record.value("state", "") != "done")
    throw Error(fmt::format("the build of '{}' is not finished", run.folder.string()))
        .hint("its transforms are written at the end");
  return record;
}

void read_atlas(Source& source, const RunDirectory& run, const RunRecord& record) {
  source.name = run.folder.string();
  source.atlas = run.atlas();
  source.atlas_is_mapped = true;
  if (is_there(run.atlas_labels())) source.segmentation = run.atlas_labels();
  source.label_names = names_of(run, record);
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
  const RunDirectory run{folder};
  return names_of(run, read_record(run));
}

Source atlas_of_run(const Path& folder) {
  Source source;
  const RunDirectory run{folder};
  read_atlas(source, run, read_finished(run));
  report_missing(source.name, missing_of(source));
  return source;
}

Source source_of_run(const Path& folder, const std::string& split, Unlabelled unlabelled) {
  const RunDirectory run{folder};
  const RunRecord record = read_finished(run);
  Source source;
  try {
    for (const auto& entry : record.at("subjects"))
      source.subjects.push_back(read_subject(entry, run));
    source.covariates = read_covariate_names(record);
    source.velocity = read_centrality(record, "mean_velocity");
    source.displacement = read_centrality(record, "mean_displacement");
  } catch (const nlohmann::json::exception&) {
    fail("'{}' has no list of subjects as aladdin build writes it", run.record().string());
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
