#include "aladdin/image/cohort.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "aladdin/core/option_name.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/text.h"
#include "aladdin/image/cohort_source.h"
#include "aladdin/image/io.h"

namespace aladdin {
namespace {

// File names end after 255 bytes, and more is added to an id.
constexpr std::size_t kLongestId = 128;
constexpr std::size_t kMostLines = 50;

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

// A few lines at the most, and how many subjects the rest would be of.
class Notes {
 public:
  void add(std::string line, std::size_t subjects) {
    if (lines_.size() < kMost)
      lines_.push_back(std::move(line));
    else
      left_ += subjects;
  }
  void give_to(Cohort& cohort) {
    if (left_ > 0)
      lines_.push_back(
          fmt::format("and {} more like it", counted(static_cast<long long>(left_), "subject")));
    cohort.notes.insert(cohort.notes.end(), lines_.begin(), lines_.end());
  }

 private:
  static constexpr std::size_t kMost = 5;
  std::vector<std::string> lines_;
  std::size_t left_ = 0;
};

// One line for all subjects of which the same is to be said.
void note_assumptions(Cohort& cohort, const std::vector<Findings>& found) {
  std::map<std::string, std::vector<std::string>> ids_with;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!found[i].note.empty()) ids_with[found[i].note].push_back(cohort.subjects[i].id);
  Notes notes;
  for (const auto& [note, ids] : ids_with)
    notes.add(fmt::format("{}{}: {}", ids[0], ids.size() == 1 ? "" : " and " + others(ids), note),
              ids.size());
  notes.give_to(cohort);
}

void check_files(Cohort& cohort, Problems& problems) {
  std::vector<Findings> found(cohort.subjects.size());
  parallel_for(static_cast<std::int64_t>(found.size()),
               [&](std::int64_t i) { found[i] = check_headers(cohort.subjects[i]); });
  int flat = 0, solid = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& line : found[i].problems) problems.add("{}", line);
    if (found[i].problems.empty()) ++(cohort.subjects[i].grid.dims == 2 ? flat : solid);
  }
  cohort.dims = flat > solid ? 2 : 3;
  note_assumptions(cohort, found);
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
  Notes notes;
  for (const auto& [image, ids] : owners)
    if (ids.size() == 2)
      notes.add(fmt::format("{} and {} have the same image", ids[0], ids[1]), 2);
    else if (ids.size() > 2)
      notes.add(fmt::format("{} and {} have the same image", ids[0], others(ids)), ids.size());
  notes.give_to(cohort);
}

}  // namespace

void Problems::report(const std::string& what) const {
  if (lines_.empty()) return;
  std::string text =
      fmt::format("{} has {} problem{}:", what, lines_.size(), lines_.size() == 1 ? "" : "s");
  for (std::size_t n = 0; n < std::min(lines_.size(), kMostLines); ++n)
    text += fmt::format("\n  {}", lines_[n]);
  if (lines_.size() > kMostLines)
    text += fmt::format("\n  and {} more", lines_.size() - kMostLines);
  throw Error(text);
}

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
  static const std::set<std::string> known{".nii", ".nii.gz", ".nrrd", ".nhdr",
                                           ".mha", ".mhd",    ".hdr"};
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

Cohort read_cohort(const std::string& source, const CohortOptions& options) {
  Cohort cohort;
  cohort.source = source;
  Problems problems;
  read_source(source, options, cohort, problems);
  const std::string what = fmt::format("the cohort '{}'", source);
  if (cohort.subjects.empty() && !problems.any()) fail("{} has no subjects", what);
  for (auto& subject : cohort.subjects) subject.covariates.resize(cohort.covariates.size());
  if (!options.labels.empty())
    attach_files(options.labels, option_name("labels"), &Subject::label, cohort, problems);
  if (!options.masks.empty())
    attach_files(options.masks, option_name("masks"), &Subject::mask, cohort, problems);
  check_names(cohort, problems);
  check_files(cohort, problems);
  problems.report(what);
  note_shared_images(cohort);
  return cohort;
}

}  // namespace aladdin
