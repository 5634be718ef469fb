#include <glob.h>

#include <algorithm>
#include <fstream>

#include "aladdin/core/text.h"
#include "aladdin/image/cohort_source.h"

namespace aladdin {
namespace {

bool is_folder(const Path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

bool is_dicom_file(const Path& path) {
  std::ifstream stream(path, std::ios::binary);
  char bytes[132] = {};
  return stream.read(bytes, sizeof bytes) && std::string_view(bytes + 128, 4) == "DICM";
}

// One look at the first few files is enough to tell.
bool has_dicom(const Path& folder) {
  int looked = 0;
  for (const auto& entry : visible_entries(folder)) {
    if (is_folder(entry)) continue;
    if (is_dicom_file(entry)) return true;
    if (++looked == 3) break;
  }
  return false;
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
    id = id.empty() || piece.starts_with(id) ? piece : id + "_" + piece;
  }
  return id;
}

}  // namespace

void read_folder_source(const Path& folder, Cohort& cohort, Problems& problems) {
  cohort.kind = "folder";
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
        .hint("give the folder that holds one such folder a subject");
  if (!is_folder(folder / "images"))
    throw Error(fmt::format("the folder '{}' holds no images", folder.string()))
        .hint("expected .nii.gz, .nii, .nrrd, .mha, .mhd, .hdr or DICOM folders");
  read_folder_source(folder / "images", cohort, problems);
  if (is_folder(folder / "labels"))
    attach_files((folder / "labels").string(), "labels", &Subject::label, cohort, problems);
}

void read_glob_source(const std::string& pattern, Cohort& cohort, Problems& problems) {
  cohort.kind = "glob";
  if (pattern.find("**") != std::string::npos)
    fail_usage("'{}': ** is not understood, expected one * for each folder", pattern);
  glob_t found{};
  const int result = glob(pattern.c_str(), GLOB_ERR, nullptr, &found);
  const std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (result != 0 && result != GLOB_NOMATCH) fail("cannot look for '{}'", pattern);
  if (paths.empty())
    throw Error(fmt::format("nothing matches '{}'", pattern))
        .hint("is the pattern quoted and right?");
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

void attach_files(const std::string& where, const char* option,
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
      problems.add("{}: the cohort names a file already, {} would replace it", subject.id, option);
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
    }
  }
  if (folder && used < by_name.size())
    cohort.notes.push_back(
        fmt::format("{} files in '{}' belong to no subject", by_name.size() - used, where));
}

}  // namespace aladdin
