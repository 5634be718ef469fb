// Transforms on disk: whatever a user may hand over, and what we write.
#pragma once

#include <string>

#include "aladdin/core/files.h"
#include "aladdin/transform/chain.h"

namespace aladdin {

// An ITK or ANTs transform file (.tfm, .txt, .mat, .h5: affines, fields, composites) or a
// displacement field stored as an image of vectors (5-D NIfTI, NRRD, MHA; LPS mm). An image with
// one value a voxel is refused.
Chain read_transform(const Path& path);

// A vector image, as ITK's DisplacementFieldTransform and ANTs read it: .nii.gz, .nii, .nrrd or
// .mha.
void write_displacement(const Path& path, const Displacement& displacement);

// Names as BIDS has them. The first lives on the atlas grid and pulls the native image into atlas
// space; the second lives on the native grid and pulls the atlas into native space.
std::string native_to_atlas_name(
    const std::string& id);  // <id>_from-native_to-atlas_mode-image_xfm.nii.gz
std::string atlas_to_native_name(
    const std::string& id);  // <id>_from-atlas_to-native_mode-image_xfm.nii.gz

}  // namespace aladdin
