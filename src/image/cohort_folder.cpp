#include <glob.h>

#include <algorithm>

#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/image/cohort_source.h"

namespace aladdin {
namespace {

constexpr std::size_t kMostLine = 1 << 16;  // bytes of the first one of a table

// Nothing of what cannot be read, pipes and devices too.
std::string start_of(const Path& path, std::size_t most_bytes) {
  try {
    return read_start(path, most_bytes);
  } catch (const Error&) {
    return "";
  }
}

bool is_dicom_file(const Path& path) {
  const std::string start = start_of(path, 132);
  return start.size() == 132 && start.ends_with("DICM");
}

bool has_wildcard(const std::string& text) {
  return text.find_first_of("*?[") != std::string::npos;
}

// What of a file name belongs to the id: everything up to the end of the last wildcard, so that
// "*_T1w.nii.gz" gives "sub-01" and "case_*.nii.gz" gives "case_7".
std::string id_part(const std::string& name, const std::string& pattern, bool last) {
  const auto end = pattern.find_last_of("*?]");
  const std::string tail = pattern.substr(end + 1);
  if (!tail.empty() && name.ends_with(tail)) return name.substr(0, name.size() - tail.size());
  return last ? stem_of(name) : name;
}

std::string id_from_glob(const Path& path, const Path& pattern) {
  std::string id;
  auto part = path.begin();
  for (auto want = pattern.begin(); want != pattern.end() && part != path.end(); ++want, ++part) {
    if (!has_wildcard(want->string())) continue;
    const bool last = std::next(want) == pattern.end();
    const std::string piece = id_part(part->string(), want->string(), last);
    // sub-01/sub-01_T1w.nii.gz: the second says it all.
    if (id.empty() || piece.starts_with(id)) {
      id = piece;
    } else {
      id.append("_").append(piece);
    }
  }
  return id;
}

// The one CSV of the folder that could be a cohort, or nothing.
std::optional<Path> table_in(const Path& folder) {
  std::optional<Path> table;
  for (const auto& entry : visible_entries(folder)) {
    if (full_extension(entry) != ".csv") continue;
    const std::string start = start_of(entry, kMostLine);
    std::vector<std::string> names = split(start.substr(0, start.find('\n')), ',');
    for (auto& name : names) name = trim(name);
    const auto has = [&](const char* name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (!has("id") || !has("image")) continue;
    if (table) return std::nullopt;
    table = entry;
  }
  return table;
}

// A pattern such as 'labels/*' that lacks the extension its files have.
void require_extension(const std::string& pattern, const Path& file, const std::string& option) {
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) return;
  for (const char* extension : {".nii.gz", ".nii", ".nrrd", ".nhdr", ".mha", ".mhd", ".hdr"})
    if (std::filesystem::exists(file.string() + extension, ignored))
      throw Error(fmt::format("{} '{}' names files that are not there, such as '{}'", option,
                              pattern, file.string()),
                  ExitCode::usage)
          .hint(fmt::format("did you mean '{}{}'?", pattern, extension));
}

}  // namespace

bool has_dicom(const Path& folder) {
  int looked = 0;  // one look at the first few files is enough to tell
  for (const auto& entry : visible_entries(folder)) {
    if (is_folder(entry)) continue;
    if (is_dicom_file(entry)) return true;
    if (++looked == 3) break;
  }
  return false;
}

void read_folder_source(const Path& folder, Cohort& cohort, Problems& problems) {
  cohort.kind = "folder";
  const auto table = table_in(folder);
  if (table)
    cohort.notes.push_back(
        fmt::format("the folder holds '{0}', which is not used; give '{0}' instead of the folder "
                    "to keep its splits and covariates",
                    table->string()));
  for (const auto& entry : visible_entries(folder)) {
    if (!is_folder(entry) ? !has_image_name(entry) : !has_dicom(entry)) continue;
    Subject subject;
    subject.id = is_folder(entry) ? entry.filename().string() : stem_of(entry);
    subject.image = entry;
    cohort.subjects.push_back(std::move(subject));
  }
  if (!cohort.subjects.empty()) return;
  if (has_dicom(folder))
    throw Error(fmt::format("'{}' is one DICOM series, not a cohort", folder.string()))
        .hint("give the folder that holds one such folder per subject");
  if (is_folder(folder / "imagesTr"))
    throw Error(fmt::format("'{}' has a folder imagesTr but no dataset.json", folder.string()))
        .hint(fmt::format("copy dataset.json to it, or give the folder imagesTr itself with {}",
                          option_name("labels")));
  if (!is_folder(folder / "images"))
    throw Error(fmt::format("the folder '{}' holds no images", folder.string()))
        .hint(table ? fmt::format("did you mean '{}'?", table->string())
                    : "expected .nii.gz, .nii, .nrrd, .mha, .mhd, .hdr or DICOM folders");
  read_folder_source(folder / "images", cohort, problems);
  if (is_folder(folder / "labels"))
    attach_files((folder / "labels").string(), "labels", &Subject::label, cohort, problems);
}

void read_glob_source(const std::string& pattern, Cohort& cohort, Problems& problems) {
  cohort.kind = "glob";
  if (pattern.find("**") != std::string::npos)
    fail_usage("'{}': ** is not supported, expected one * for each folder", pattern);
  glob_t found{};
  const int result = glob(pattern.c_str(), GLOB_ERR, nullptr, &found);
  const std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (result != 0 && result != GLOB_NOMATCH) fail("cannot look for '{}'", pattern);
  if (paths.empty())
    throw Error(fmt::format("nothing matches '{}'", pattern))
        .hint("is the pattern correct, and quoted?");
  for (const Path path : paths) {
    if (full_extension(path) == ".img" || full_extension(path) == ".raw") continue;
    if (!is_folder(path) && !has_image_name(path) && !is_dicom_file(path)) {
      problems.add("'{}' is not an image", path.string());
      continue;
    }
    Subject subject;
    subject.id = id_from_glob(path, pattern);
    subject.image = path;
    cohort.subjects.push_back(std::move(subject));
  }
}

void attach_files(const std::string& where, const std::string& option,
                  std::optional<Path> Subject::*member, Cohort& cohort, Problems& problems) {
  const bool folder = is_folder(where);
  if (!folder && std::count(where.begin(), where.end(), '*') != 1)
    throw Error(fmt::format("{} '{}' is neither a folder nor a pattern", option, where),
                ExitCode::usage)
        .hint("in a pattern one * stands for the id, e.g. 'labels/*_seg.nii.gz'");
  std::map<std::string, Path> by_name;
  if (folder)
    for (const auto& entry : visible_entries(where))
      if (has_image_name(entry) || is_folder(entry)) by_name[stem_of(entry)] = entry;
  std::size_t used = 0;
  for (auto& subject : cohort.subjects) {
    if (subject.*member) {
      problems.add("{}: the cohort already names a file, which {} would replace", subject.id,
                   option);
    } else if (folder) {
      const auto at = by_name.find(subject.id);
      if (at == by_name.end()) {
        problems.add("{}: no file of that name in the {} folder '{}'", subject.id, option, where);
      } else {
        subject.*member = at->second;
        ++used;
      }
    } else {
      std::string name = where;
      subject.*member = name.replace(name.find('*'), 1, subject.id);
      require_extension(where, name, option);
    }
  }
  if (folder && used < by_name.size())
    cohort.notes.push_back(
        fmt::format("'{}' has {} that no subject uses", where,
                    counted(static_cast<long long>(by_name.size() - used), "file")));
}

}  // namespace aladdin
