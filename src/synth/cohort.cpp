#include "aladdin/synth/cohort.h"

#include <cctype>

#include "aladdin/core/error.h"
#include "aladdin/core/links.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/progress.h"
#include "aladdin/image/io.h"
#include "aladdin/synth/subject.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::synth {
namespace {

namespace fs = std::filesystem;

void require_usable(const Path& folder, bool force) {
  std::error_code problem;
  if (!fs::exists(folder, problem)) return;
  if (!fs::is_directory(folder, problem))
    throw Error(fmt::format("'{}' is a file, expected a folder for the cohort", folder.string()))
        .hint("choose another name");
  const bool empty = fs::is_empty(folder, problem);
  if (problem) fail("cannot read the folder '{}': {}", folder.string(), problem.message());
  if (!empty && !force)
    throw Error(fmt::format("the folder '{}' is not empty", folder.string()))
        .hint(fmt::format("choose another folder, or replace the cohort in it with {}",
                          option_name("force")));
}

// "knee012" and "knee012_from-…": made by an earlier run.
bool is_ours(const Path& file) {
  const std::string name = file.filename().string();
  return name.starts_with("knee") && name.size() > 4 &&
         std::isdigit(static_cast<unsigned char>(name[4]));
}

// The CSV goes first: a cohort without it is not whole.
void remove_earlier(const Path& folder) {
  std::error_code problem;
  fs::remove(folder / "cohort.csv", problem);
  for (const char* part : {"images", "labels", "transforms"}) {
    std::vector<Path> old;
    for (fs::directory_iterator entry(folder / part, problem), end; !problem && entry != end;
         entry.increment(problem))
      if (is_ours(entry->path())) old.push_back(entry->path());
    for (const Path& file : old) fs::remove(file, problem);
  }
}

void write_subject(const Path& folder, const Subject& subject) {
  const std::string file = subject.id + ".nii.gz";
  const Path transforms = folder / "transforms";
  write_image(folder / "images" / file, subject.native.image);
  write_labels(folder / "labels" / file, subject.native.labels);
  write_displacement(transforms / native_to_atlas_name(subject.id), subject.pull_native_to_atlas);
  write_displacement(transforms / atlas_to_native_name(subject.id), subject.pull_atlas_to_native);
  write_affine(transforms / native_to_atlas_affine_name(subject.id), subject.affine);
}

void write_atlas(const Path& folder, const SynthOptions& options) {
  const Knee atlas = make_atlas(options);
  write_image(folder / "atlas" / "image.nii.gz", atlas.image);
  write_labels(folder / "atlas" / "labels.nii.gz", atlas.labels);
}

const char* split_of(const SynthOptions& options, int index) {
  const int train = options.subjects - options.val_subjects() - options.test_subjects();
  if (index < train) return "train";
  return index < train + options.val_subjects() ? "val" : "test";
}

std::string csv_row(const SynthOptions& options, const Subject& subject, int index) {
  const Covariates& c = subject.covariates;
  return fmt::format(
      "{0},images/{0}.nii.gz,labels/{0}.nii.gz,{1},{2:.0f},{3},{4:.2f},{5:.2f},{6}{7}\n",
      subject.id, split_of(options, index), c.age, c.sex, c.femoral_cartilage_mm,
      c.tibial_cartilage_mm, c.lesions,
      options.planted > 0 ? fmt::format(",{:.4f}", c.planted) : "");
}

}  // namespace

Path write_cohort(const Path& folder, const SynthOptions& options, bool force) {
  options.validate();
  require_usable(folder, force);
  refuse_links(folder, {"atlas", "images", "labels", "transforms"});
  if (force) remove_earlier(folder);
  write_atlas(folder, options);
  std::string csv = fmt::format(
      "id,image,label,split,age,sex,femoral_cartilage_mm,tibial_cartilage_mm,lesions{}\n",
      options.planted > 0 ? ",planted" : "");
  Progress progress("making knees", options.subjects);
  for (int index = 0; index < options.subjects; ++index) {
    const Subject subject = make_subject(options, index);
    write_subject(folder, subject);
    csv += csv_row(options, subject, index);
    progress.advance();
  }
  write_text(folder / "cohort.csv", csv);
  return folder / "cohort.csv";
}

}  // namespace aladdin::synth
