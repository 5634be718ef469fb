// Transform files: reads those of many programs, writes ITK's.
#pragma once

#include <string>

#include "aladdin/core/files.h"
#include "aladdin/transform/chain.h"
#include "aladdin/transform/velocity.h"

namespace aladdin {

// An ITK or ANTs transform file (.tfm, .txt, .mat, .h5: affines, fields, composites) or a
// displacement field stored as an image of vectors (5-D NIfTI, NRRD, MHA; LPS mm). Deformations of
// SPM (y_*.nii) and dense fields of NiftyReg are recognised by their headers and converted. An image
// with one value per voxel is refused.
Chain read_transform(const Path& path);
// True for the extensions of the former and of transforms that other programs write, which are refused by name: files
// that are never images.
bool has_transform_extension(const Path& path);

// An ITK AffineTransform_double: .tfm or .txt (text), .mat (Matlab 4, as ANTs) or .h5.
void write_affine(const Path& path, const Affine& affine);
// A file that holds one affine map and nothing else.
Affine read_affine(const Path& path);

// A vector image, as ITK's DisplacementFieldTransform and ANTs read it: .nii.gz, .nii, .nrrd or
// .mha.
void write_displacement(const Path& path, const Displacement& displacement);

// The same kind of file. Nothing in it says that its vectors are a velocity.
Velocity read_velocity(const Path& path);
void write_velocity(const Path& path, const Velocity& velocity);

// Names as BIDS has them. The first lives on the atlas grid and pulls the native image into atlas
// space; the second lives on the native grid and pulls the atlas into native space.
//   <id>_from-native_to-atlas_mode-image_xfm.nii.gz
//   <id>_from-atlas_to-native_mode-image_xfm.nii.gz
std::string native_to_atlas_name(const std::string& id);
std::string atlas_to_native_name(const std::string& id);

}  // namespace aladdin
