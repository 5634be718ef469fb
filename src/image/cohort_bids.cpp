#include <algorithm>
#include <set>

#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/image/cohort_source.h"

namespace aladdin {
namespace {

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

void add_image(const Path& path, const std::string& suffix, Cohort& cohort,
               std::set<std::string>& suffixes) {
  if (!has_image_name(path) || is_folder(path)) return;
  const std::string stem = stem_of(path);
  if (!suffix_of(stem).empty()) suffixes.insert(suffix_of(stem));
  if (suffix_of(stem) != suffix) return;
  Subject subject;
  subject.id = stem.substr(0, stem.size() - suffix.size() - 1);
  subject.image = path;
  cohort.subjects.push_back(std::move(subject));
}

// The images of a subject or of a session: in its data-type folders (anat, perf, …), as the
// standard wants them, or directly below it, as many people keep them.
void add_images(const Path& folder, const std::string& suffix, Cohort& cohort,
                std::set<std::string>& suffixes) {
  for (const auto& entry : visible_entries(folder)) {
    if (entry.filename().string().starts_with("ses-") && is_folder(entry)) continue;
    if (is_folder(entry)) {
      for (const auto& path : visible_entries(entry)) add_image(path, suffix, cohort, suffixes);
    } else {
      add_image(entry, suffix, cohort, suffixes);
    }
  }
}

// Fields may be empty, also the last: only what ends a line is taken off.
std::vector<std::string> fields_of(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  auto fields = split(line, '\t');
  for (auto& field : fields) field = trim(field);
  return fields;
}

std::string unnamed(std::size_t column) { return fmt::format("column_{}", column + 1); }

// participants.tsv: age, sex, … of each sub-*; the same for all sessions of a subject.
void read_participants(const Path& file, Cohort& cohort) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return;
  std::string text = read_text(file);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // a spreadsheet's byte-order mark
  const auto lines = split(text, '\n');
  const auto names = fields_of(lines.front());
  const auto key = std::find(names.begin(), names.end(), "participant_id");
  if (key == names.end()) {
    cohort.notes.push_back(
        fmt::format("'{}' has no column participant_id and is ignored", file.string()));
    return;
  }
  const auto key_at = static_cast<std::size_t>(key - names.begin());
  std::map<std::string, std::vector<std::string>> rows;
  std::size_t left_out = 0;
  for (auto line = lines.begin() + 1; line != lines.end(); ++line) {
    auto fields = fields_of(*line);
    if (fields.size() != names.size()) {
      left_out += !trim(*line).empty();
      continue;
    }
    for (auto& field : fields)
      if (field == "n/a") field.clear();
    const std::string id = fields[key_at];
    fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(key_at));
    rows[id] = fields;
  }
  if (left_out > 0)
    cohort.notes.push_back(fmt::format("ignored {} of {} rows of '{}', expected {} fields in each",
                                       left_out, rows.size() + left_out, file.string(),
                                       names.size()));
  for (std::size_t c = 0; c < names.size(); ++c)
    if (c != key_at) cohort.covariates.push_back(names[c].empty() ? unnamed(c) : names[c]);
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
        .hint(suffixes.empty() ? "it has no images at all"
                               : fmt::format("choose {} from: {}", option_name("suffix"),
                                             fmt::join(suffixes, ", ")));
  if (without > 0)
    cohort.notes.push_back(fmt::format("{} of {} sub-* folders have no *_{} image", without,
                                       subjects.size(), options.suffix));
  read_participants(folder / "participants.tsv", cohort);
}

}  // namespace aladdin
