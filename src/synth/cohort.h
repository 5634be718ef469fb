// A synthetic cohort on disk:
//
//   cohort.csv                 id,image,label,split,age,sex,femoral_cartilage_mm,…[,planted]; written last
//   images/<id>.nii.gz, labels/<id>.nii.gz
//   transforms/<id>_from-native_to-atlas_mode-image_xfm.nii.gz
//                              on the atlas grid, pulls the image into atlas space
//   transforms/<id>_from-atlas_to-native_mode-image_xfm.nii.gz
//                              on the native grid, pulls the atlas to the subject
//   transforms/<id>_from-native_to-atlas_mode-image_affine.tfm
//                              the affine part of the first
//   atlas/image.nii.gz, atlas/labels.nii.gz
//                              the canonical knee
#pragma once

#include "aladdin/core/files.h"
#include "aladdin/synth/options.h"

namespace aladdin::synth {

// Subjects are made one after the other, each in parallel, so that memory stays that of one.
// Throws, before anything is made, when `folder` holds files and `force` is not set; with it, an
// earlier cohort's files are replaced and those of its surplus subjects removed. Returns the CSV's
// path.
Path write_cohort(const Path& folder, const SynthOptions& options, bool force);

}  // namespace aladdin::synth
