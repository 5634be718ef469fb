#include "aladdin/image/cohort.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "aladdin/core/notes.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/text.h"
#include "aladdin/image/cohort_source.h"
#include "aladdin/image/io.h"

namespace aladdin {
namespace {

// File names end after 255 bytes, and more is added to an id.
constexpr std::size_t kLongestId = 128;

const std::vector<std::string> kSplits{"train", "val", "test"};

void read_source(const std::string& source, const CohortOptions& options, Cohort& cohort,
                 Problems& problems) {
  std::error_code ignored;
  const Path path = source;
  if (source.empty()) fail_usage("no cohort is given");
  if (is_folder(path)) {
    if (is_decathlon(path)) return read_decathlon_source(path, options, cohort, problems);
    if (is_bids(path)) return read_bids_source(path, options, cohort);
    return read_folder_source(path, cohort, problems);
  }
  if (std::filesystem::exists(path, ignored)) {
    if (full_extension(path) == ".csv") return read_csv_source(path, cohort, problems);
    throw Error(fmt::format("'{}' is not a cohort", source))
        .hint("expected a .csv, a folder or a quoted pattern such as 'images/*.nii.gz'");
  }
  if (source.find_first_of("*?[") != std::string::npos)
    return read_glob_source(source, cohort, problems);
  throw Error(fmt::format("no such cohort: '{}'", source))
      .hint("expected a .csv, a folder or a quoted pattern such as 'images/*.nii.gz'");
}

void leave_out(const std::vector<std::string>& ids, Cohort& cohort) {
  std::vector<std::string> known;
  for (const auto& subject : cohort.subjects) known.push_back(subject.id);
  for (const auto& id : ids) {
    if (std::erase_if(cohort.subjects, [&](const Subject& s) { return s.id == id; }) > 0) continue;
    if (std::find(known.begin(), known.end(), id) != known.end()) continue;  // said twice
    throw Error(fmt::format("there is no subject '{}' to exclude from '{}'", id, cohort.source),
                ExitCode::usage)
        .hint(did_you_mean(id, known));
  }
}

void check_names(const Cohort& cohort, Problems& problems) {
  std::map<std::string, int> times;
  for (const auto& subject : cohort.subjects) ++times[subject.id];
  for (const auto& [id, count] : times) {
    if (const auto reason = check_id(id); !reason.empty())
      problems.add("the id '{}' cannot be used in file names: {}", id, reason);
    if (count > 1)
      problems.add("the id '{}' is given to {} subjects, expected one each", id, count);
  }
  const bool split = std::any_of(cohort.subjects.begin(), cohort.subjects.end(),
                                 [](const Subject& s) { return !s.split.empty(); });
  for (const auto& subject : cohort.subjects) {
    if (!split) break;
    if (subject.split.empty()) {
      problems.add("{}: has no split while others have one, expected train, val or test",
                   subject.id);
    } else if (std::find(kSplits.begin(), kSplits.end(), subject.split) == kSplits.end()) {
      const std::string advice = did_you_mean(subject.split, kSplits);
      problems.add("{}: unknown split '{}', expected train, val or test{}{}", subject.id,
                   subject.split, advice.empty() ? "" : "; ", advice);
    }
  }
}

// What the headers of one subject show.
struct Findings {
  std::vector<std::string> problems;
  std::string note;  // of its image; a label map or a mask has the same or lies on another grid
};

Findings check_headers(Subject& subject) {
  Findings out;
  auto& found = out.problems;
  const auto header_of = [&](const Path& path, const char* role) -> std::optional<Grid> {
    try {
      const ImageHeader header = read_header(path);
      if (path == subject.image) out.note = header.note;
      if (header.components == 1) return header.grid;
      found.push_back(fmt::format("{}: the {} '{}' has {} values per voxel, expected 1", subject.id,
                                  role, path.string(), header.components));
    } catch (const Error& error) {
      found.push_back(fmt::format("{}: {}: {}", subject.id, role, error.what()));
    }
    return std::nullopt;
  };
  const auto grid = header_of(subject.image, "image");
  if (grid) subject.grid = *grid;
  const auto compare = [&](const std::optional<Path>& path, const char* role) {
    if (!path) return;
    const auto other = header_of(*path, role);
    if (grid && other && !same_grid(*grid, *other))
      found.push_back(
          fmt::format("{}: the {} '{}' is on another grid than the image ({}; image {})",
                      subject.id, role, path->string(), describe(*other), describe(*grid)));
  };
  compare(subject.label, "label");
  compare(subject.mask, "mask");
  return out;
}

std::string others(const std::vector<std::string>& ids) {
  return counted(static_cast<long long>(ids.size()) - 1, "other");
}

void check_files(Cohort& cohort, Problems& problems) {
  std::vector<Findings> found(cohort.subjects.size());
  parallel_for(static_cast<std::int64_t>(found.size()),
               [&](std::int64_t i) { found[i] = check_headers(cohort.subjects[i]); });
  int flat = 0, solid = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& line : found[i].problems) problems.add("{}", line);
    cohort.subjects[i].sound = found[i].problems.empty();
    if (cohort.subjects[i].sound) ++(cohort.subjects[i].grid.dims == 2 ? flat : solid);
  }
  cohort.dims = flat > solid ? 2 : 3;
  std::vector<Note> notes;
  for (std::size_t i = 0; i < found.size(); ++i)
    notes.push_back({cohort.subjects[i].id, found[i].note});
  for (auto& line : merged(notes, "subject")) cohort.notes.push_back(std::move(line));
  if (flat == 0 || solid == 0) return;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (const int dims = cohort.subjects[i].grid.dims;
        found[i].problems.empty() && dims != cohort.dims)
      problems.add("{}: is {}-D while {} others are {}-D", cohort.subjects[i].id, dims,
                   std::max(flat, solid), cohort.dims);
}

void note_shared_images(Cohort& cohort) {
  std::map<Path, std::vector<std::string>> owners;
  for (const auto& subject : cohort.subjects)
    owners[subject.image.lexically_normal()].push_back(subject.id);
  std::vector<Note> notes;
  for (const auto& [image, ids] : owners)
    if (ids.size() > 1)
      notes.push_back({ids[0], fmt::format("has the same image as {}",
                                           ids.size() == 2 ? ids[1] : others(ids))});
  for (auto& line : merged(notes, "subject")) cohort.notes.push_back(std::move(line));
}

}  // namespace

std::string check_id(const std::string& id) {
  if (id.empty()) return "it is empty";
  if (id.front() == '.') return "it begins with a dot";
  if (id.find_first_of("/\\") != std::string::npos) return "it has a path separator";
  if (std::any_of(id.begin(), id.end(), [](unsigned char c) { return c < 32 || c == 127; }))
    return "it has a control character";
  if (id.size() > kLongestId)
    return fmt::format("it has {} bytes, expected at most {}", id.size(), kLongestId);
  return "";
}

bool has_image_name(const Path& path) {
  static const std::set<std::string> known{".nii", ".nii.gz", ".nrrd", ".nhdr", ".mha",
                                           ".mhd", ".hdr",    ".mgz",  ".mgh",  ".mgh.gz",
                                           ".mif", ".mif.gz", ".mnc"};
  return known.contains(full_extension(path));
}

std::vector<Path> visible_entries(const Path& folder) {
  std::vector<Path> entries;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem))
    if (!entry.path().filename().string().starts_with('.')) entries.push_back(entry.path());
  if (problem) fail("cannot read the folder '{}': {}", folder.string(), problem.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

Cohort read_cohort(const std::string& source, const CohortOptions& options, Problems& problems) {
  Cohort cohort;
  cohort.source = source;
  read_source(source, options, cohort, problems);
  leave_out(options.exclude, cohort);
  if (cohort.subjects.empty() && !problems.any()) fail("the cohort '{}' has no subjects", source);
  for (auto& subject : cohort.subjects) subject.covariates.resize(cohort.covariates.size());
  if (!options.labels.empty())
    attach_files(options.labels, option_name("labels"), &Subject::label, cohort, problems);
  if (!options.masks.empty())
    attach_files(options.masks, option_name("masks"), &Subject::mask, cohort, problems);
  check_names(cohort, problems);
  check_files(cohort, problems);
  note_shared_images(cohort);
  return cohort;
}

Cohort list_cohort(const std::string& source, const CohortOptions& options) {
  Cohort cohort;
  cohort.source = source;
  Problems problems;
  read_source(source, options, cohort, problems);
  check_names(cohort, problems);
  problems.report(fmt::format("the cohort '{}'", source));
  return cohort;
}

void attach_masks(const std::string& where, Cohort& cohort) {
  Problems problems;
  attach_files(where, option_name("masks"), &Subject::mask, cohort, problems);
  problems.report(fmt::format("the masks '{}'", where));
}

bool is_cohort(const std::string& source) {
  std::error_code ignored;
  if (is_folder(source)) return is_decathlon(source) || is_bids(source) || !has_dicom(source);
  if (std::filesystem::exists(source, ignored)) return full_extension(source) == ".csv";
  return source.ends_with(".csv") || source.find_first_of("*?[") != std::string::npos;
}

Cohort read_cohort(const std::string& source, const CohortOptions& options) {
  Problems problems;
  Cohort cohort = read_cohort(source, options, problems);
  problems.report(fmt::format("the cohort '{}'", source));
  return cohort;
}

}  // namespace aladdin
