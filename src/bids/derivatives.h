// A finished run as a BIDS derivative dataset, in the run's own folder: the files under the names that BIDS has for them
// (hard links where the disk allows it, so that nothing is stored twice), each with a sidecar, and the dataset's own files.
// What BIDS does not know is in .bidsignore.
//
//   dataset_description.json, README, .bidsignore
//   tpl-LABEL/tpl-LABEL_T1w.nii.gz, _desc-variability_T1w, _dseg (with .tsv), _probseg          (BEP 38)
//   sub-X/[ses-Y/]anat/sub-X[_ses-Y]_from-T1w_to-LABEL_mode-image_xfm.nii.gz, _from-LABEL_to-T1w_…
//   sub-X/[ses-Y/]anat/sub-X[_ses-Y]_space-LABEL_T1w.nii.gz                                     (--warped)
#pragma once

#include <string>

#include "aladdin/run/run_directory.h"

namespace aladdin {

// Letters and digits, as BIDS has labels; else a usage error.
void require_bids_label(const std::string& label);
// Throws unless every subject of the run comes from a BIDS tree.
void require_bids_run(const RunDirectory& run);

// Writes them anew; the folder must hold a finished run of a BIDS tree.
void write_bids(const RunDirectory& run, const std::string& label);
// Removes what write_bids made, if it did.
void remove_bids(const RunDirectory& run);

}  // namespace aladdin
