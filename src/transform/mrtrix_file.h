// Inside this folder only: deformation fields of MRtrix3, images of three volumes that hold the RAS mm from which each voxel
// comes: as .mif, or as a 4-D NIfTI, which does not say that it is one.
#pragma once

#include "aladdin/core/files.h"
#include "aladdin/transform/displacement.h"

namespace aladdin {

// .mif or .mif.gz
bool is_mrtrix_name(const Path& path);

Displacement read_mrtrix_deformation(const Path& path);
// .mif, .mif.gz, .nii or .nii.gz
void write_mrtrix_deformation(const Path& path, const Displacement& displacement);

}  // namespace aladdin
