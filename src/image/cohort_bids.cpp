#include <algorithm>
#include <set>

#include "aladdin/core/text.h"
#include "aladdin/image/cohort_source.h"

namespace aladdin {
namespace {

bool is_folder(const Path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

std::vector<Path> folders_named(const Path& folder, const std::string& prefix) {
  std::vector<Path> found;
  for (const auto& entry : visible_entries(folder))
    if (entry.filename().string().starts_with(prefix) && is_folder(entry)) found.push_back(entry);
  return found;
}

// Everything after the last underscore: the contrast of an image.
std::string suffix_of(const std::string& stem) {
  const auto at = stem.rfind('_');
  return at == std::string::npos ? "" : stem.substr(at + 1);
}

// The data-type folders (anat, perf, …) of a subject or of a session.
void add_images(const Path& folder, const std::string& suffix, Cohort& cohort,
                std::set<std::string>& suffixes) {
  for (const auto& datatype : visible_entries(folder)) {
    if (!is_folder(datatype) || datatype.filename().string().starts_with("ses-")) continue;
    for (const auto& path : visible_entries(datatype)) {
      if (!has_image_name(path)) continue;
      const std::string stem = stem_of(path);
      suffixes.insert(suffix_of(stem));
      if (suffix_of(stem) != suffix) continue;
      Subject subject;
      subject.id = stem.substr(0, stem.size() - suffix.size() - 1);
      subject.image = path;
      cohort.subjects.push_back(std::move(subject));
    }
  }
}

// participants.tsv: age, sex, … of each sub-*; the same for all sessions of a subject.
void read_participants(const Path& file, Cohort& cohort) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return;
  const auto lines = split(read_text(file), '\n');
  const auto names = split(trim(lines.front()), '\t');
  const auto key = std::find(names.begin(), names.end(), "participant_id");
  if (key == names.end()) {
    cohort.notes.push_back(
        fmt::format("'{}' has no column participant_id and is left out", file.string()));
    return;
  }
  const auto key_at = static_cast<std::size_t>(key - names.begin());
  std::map<std::string, std::vector<std::string>> rows;
  for (const auto& line : lines) {
    auto fields = split(line, '\t');
    if (fields.size() != names.size()) continue;
    for (auto& field : fields) field = trim(field) == "n/a" ? "" : trim(field);
    const std::string id = fields[key_at];
    fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(key_at));
    rows[id] = fields;
  }
  for (std::size_t c = 0; c < names.size(); ++c)
    if (c != key_at) cohort.covariates.push_back(trim(names[c]));
  for (auto& subject : cohort.subjects)
    if (const auto row = rows.find(subject.id.substr(0, subject.id.find('_'))); row != rows.end())
      subject.covariates = row->second;
}

}  // namespace

bool is_bids(const Path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / "dataset_description.json", ignored) ||
         !folders_named(folder, "sub-").empty();
}

void read_bids_source(const Path& folder, const CohortOptions& options, Cohort& cohort) {
  cohort.kind = "BIDS";
  std::set<std::string> suffixes;
  const auto subjects = folders_named(folder, "sub-");
  std::size_t without = 0;
  for (const auto& subject : subjects) {
    const std::size_t before = cohort.subjects.size();
    add_images(subject, options.suffix, cohort, suffixes);
    for (const auto& session : folders_named(subject, "ses-"))
      add_images(session, options.suffix, cohort, suffixes);
    without += cohort.subjects.size() == before;
  }
  if (cohort.subjects.empty())
    throw Error(fmt::format("the BIDS tree '{}' has no *_{}.nii.gz below its {} sub-* folders",
                            folder.string(), options.suffix, subjects.size()))
        .hint(suffixes.empty()
                  ? "it has no images at all"
                  : fmt::format("choose --suffix from: {}", fmt::join(suffixes, ", ")));
  if (without > 0)
    cohort.notes.push_back(fmt::format("{} of {} sub-* folders have no *_{} image", without,
                                       subjects.size(), options.suffix));
  read_participants(folder / "participants.tsv", cohort);
}

}  // namespace aladdin
