// Transform files of many programs, read and written; docs/transforms.md has them all.
#pragma once

#include <string>

#include "aladdin/core/files.h"
#include "aladdin/transform/chain.h"
#include "aladdin/transform/transform_format.h"
#include "aladdin/transform/velocity.h"

namespace aladdin {

// An ITK or ANTs transform file (.tfm, .txt, .mat, .h5: affines, fields, composites) or a
// displacement field stored as an image of vectors (5-D NIfTI, NRRD, MHA; LPS mm). Deformations of
// SPM (y_*.nii), dense fields of NiftyReg, MRtrix3's .mif, FreeSurfer's .lta and .x5 are recognised and converted. An image
// with one value per voxel is refused.
Chain read_transform(const Path& path);
// The same, and what does not say whose it is: plain matrices, deformations of MRtrix3 as NIfTI, files of FSL.
Chain read_transform(const TransformFile& file);
// True for the extensions of transforms, those that are refused by name included: files that are never images (of .mif,
// only those of three volumes).
bool has_transform_extension(const Path& path);

// An ITK AffineTransform_double: .tfm or .txt (text), .mat (Matlab 4, as ANTs) or .h5.
void write_affine(const Path& path, const Affine& affine);
// A file that holds one affine map and nothing else.
Affine read_affine(const Path& path);

// A vector image, as ITK's DisplacementFieldTransform and ANTs read it: .nii.gz, .nii, .nrrd or
// .mha.
void write_displacement(const Path& path, const Displacement& displacement);

// What write_transform must know beside the chain.
struct TransformOutput {
  TransformFormat format = TransformFormat::automatic;  // by the name of the file
  std::optional<Grid>
      grid{};  // of the space resampled to: for a field, and for the files of FSL and LTA
  std::optional<Grid> source{};            // of the image that is resampled, for FSL and LTA
  std::string grid_name{}, source_name{};  // the files of the two, for LTA
};
// The files that write_transform makes: `path`, or for ANTs those that begin with it. Throws (usage) where the format has
// no such file, or where something that it needs is missing.
std::vector<Path> files_of_transform(const Path& path, const Chain& chain,
                                     const TransformOutput& output);
// The chain as one affine, one field on output.grid (or the grid of the field that is applied first), or, as .h5, .tfm or .x5, a
// composite of affines and fields; then only inverses of fields are sampled, each on the grid of its field.
void write_transform(const Path& path, const Chain& chain, const TransformOutput& output = {});

// The same kind of file. Nothing in it says that its vectors are a velocity.
Velocity read_velocity(const Path& path);
void write_velocity(const Path& path, const Velocity& velocity);

// Names as BIDS has them. The first lives on the atlas grid and pulls the native image into atlas
// space; the second lives on the native grid and pulls the atlas into native space.
//   <id>_from-native_to-atlas_mode-image_xfm.nii.gz
//   <id>_from-atlas_to-native_mode-image_xfm.nii.gz
std::string native_to_atlas_name(const std::string& id);
std::string atlas_to_native_name(const std::string& id);
// Of the velocity whose exponential is the deformable part of the first: <id>_from-native_to-atlas_mode-image_velocity.nii.gz
std::string native_to_atlas_velocity_name(const std::string& id);
// Of the affine part of the first alone: <id>_from-native_to-atlas_mode-image_affine.tfm
std::string native_to_atlas_affine_name(const std::string& id);

}  // namespace aladdin
