// A cohort: who is in the study and where their images are. One call reads any of the sources that
// people have and checks all of it before any work starts:
//
//   a CSV             id,image[,label,mask,split,…covariates]; paths relative to the CSV
//   a folder          one image per subject, named by the id (or one DICOM folder per subject)
//   a glob            'study/*/T1.nii.gz', quoted; the parts with wildcards make the id
//   a Decathlon or nnU-Net folder    dataset.json, imagesTr, labelsTr
//   a BIDS tree       sub-*/[ses-*/][<datatype>/]*_<suffix>.nii.gz; derivatives are ignored
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "aladdin/core/files.h"
#include "aladdin/image/grid.h"
#include "aladdin/image/problems.h"

namespace aladdin {

struct Subject {
  std::string id;  // becomes part of file names: see check_id
  Path image;
  std::optional<Path> label;
  std::optional<Path> mask;
  std::string split;  // "train", "val", "test", or "" where the source has no splits
  std::vector<std::string> covariates;  // one for each of Cohort::covariates, "" where unknown
  Grid grid;                            // of the image, from its header
  bool sound = true;                    // false: a header of its files is wrong

  bool is_for_training() const { return split.empty() || split == "train"; }
};

struct Cohort {
  std::string source;                   // as the user gave it
  std::string kind;                     // "CSV", "folder", "glob", "Decathlon", "nnU-Net", "BIDS"
  int dims = 3;                         // of every image
  std::vector<Subject> subjects;        // in the order of the source; folders: sorted by id
  std::vector<std::string> covariates;  // names of further columns
  std::map<int, std::string> label_names;  // where the source names its labels
  std::vector<std::string> notes;          // remarks that are not errors
};

struct CohortOptions {
  // Label maps for a source that names none: a folder (file name = id) or a pattern in which *
  // stands for the id, e.g. "labels/*_seg.nii.gz".
  std::string labels{};
  std::string masks{};                 // the same for masks
  std::string suffix = "T1w";          // BIDS: which images
  int channel = 0;                     // nnU-Net: which of the images _0000, _0001, … of a case
  std::vector<std::string> exclude{};  // ids of subjects that are left out
};

// Reads and checks. All problems (duplicate ids, ids that cannot be file names, missing files, files
// that are not images, label or mask grids that differ from their image, 2-D among 3-D, unknown
// splits, misspelt columns) are reported in one Error, one line each.
Cohort read_cohort(const std::string& source, const CohortOptions& options = {});
// The same, but what is wrong is added to `problems`, for those who go on to look at the voxels of the sound subjects.
Cohort read_cohort(const std::string& source, const CohortOptions& options, Problems& problems);

// Who is in it and where their images are, without a look into these; ids are checked.
Cohort list_cohort(const std::string& source, const CohortOptions& options = {});
// Gives every subject its mask from a folder or a pattern, as CohortOptions::masks has it. All problems in one Error.
void attach_masks(const std::string& where, Cohort& cohort);
// Whether `source` is one of the above, not an image or a DICOM series.
bool is_cohort(const std::string& source);

// The cohort as a CSV that read_cohort reads back; paths are relative where they lie below it.
void write_cohort(const Path& csv, const Cohort& cohort);

// Why `id` cannot be part of a file name, or "" when it can.
std::string check_id(const std::string& id);

}  // namespace aladdin
