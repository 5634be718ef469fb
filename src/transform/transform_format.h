// Whose conventions a transform file follows. The name of a file, or its header, usually says so; a plain matrix as text
// and a 4-D NIfTI do not.
#pragma once

#include <optional>
#include <string>

#include "aladdin/core/files.h"

namespace aladdin {

enum class TransformFormat {
  automatic,  // by the name and the header
  itk,   // affines and composites (.tfm .txt .mat .h5), fields (.nii.gz .nii .nrrd .mha); LPS mm
  ants,  // the same files; written as PREFIX0GenericAffine.mat, PREFIX1Warp.nii.gz, PREFIX1InverseWarp.nii.gz
  greedy,  // Greedy and c3d: matrix as text, RAS mm; fields as ITK's
  mrtrix,  // MRtrix3: matrix as text, RAS mm; fields of RAS positions (.mif .mif.gz; .nii .nii.gz with 4 axes)
  niftyreg,               // matrix as text, RAS mm; fields of RAS positions
  niftyreg_displacement,  // the same, but fields of RAS displacements
  fsl,                    // FLIRT's matrices and FNIRT's fields: scaled voxels of two images
  spm,                    // y_*.nii: RAS positions
  lta,                    // FreeSurfer's linear transforms
  x5                      // HDF5 as drafted for BIDS: affines, fields and chains; RAS mm
};

// "itk", …; an unknown name is a usage error that names the nearest.
TransformFormat parse_transform_format(const std::string& name);
std::string name_of(TransformFormat format);

// A file, and what must be known to read it.
struct TransformFile {
  Path path{};
  TransformFormat format = TransformFormat::automatic;
  // The image that the transform resamples, and the one onto whose grid: FSL's files mean their voxels.
  std::optional<Path> source{}, reference{};
};

}  // namespace aladdin
