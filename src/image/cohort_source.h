// Inside this folder only: what the readers of the different sources share.
#pragma once

#include "aladdin/core/error.h"
#include "aladdin/image/cohort.h"
#include "aladdin/image/problems.h"

namespace aladdin {

// Each fills kind, subjects, covariates, label_names and notes; none looks into the images.
void read_csv_source(const Path& csv, Cohort& cohort, Problems& problems);
void read_folder_source(const Path& folder, Cohort& cohort, Problems& problems);
void read_glob_source(const std::string& pattern, Cohort& cohort, Problems& problems);
void read_decathlon_source(const Path& folder, const CohortOptions& options, Cohort& cohort,
                           Problems& problems);
void read_bids_source(const Path& folder, const CohortOptions& options, Cohort& cohort);
bool is_decathlon(const Path& folder);
bool is_bids(const Path& folder);
// The files in it are a DICOM series.
bool has_dicom(const Path& folder);

// Sets `member` (label or mask) of every subject from a folder or pattern.
void attach_files(const std::string& where, const std::string& option,
                  std::optional<Path> Subject::*member, Cohort& cohort, Problems& problems);

// By its name. The data half of a pair (.img, .raw) is not one.
bool has_image_name(const Path& path);
// The visible entries of a folder, sorted by name.
std::vector<Path> visible_entries(const Path& folder);

}  // namespace aladdin
