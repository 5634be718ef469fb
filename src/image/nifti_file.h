// Inside this folder only: single-file NIfTI (.nii, .nii.gz), versions 1 and 2, as far as ITK 5.2
// leaves it open. ITK reads no NIfTI-2 at all, and of a NIfTI-1 it stops before the gzip checksum,
// so that a damaged file passes for an image; therefore voxels are read here and checked to the
// last byte.
#pragma once

#include <array>
#include <optional>

#include "aladdin/image/raw_image.h"

namespace aladdin {

struct NiftiHeader {
  int version = 1;
  bool swapped = false;  // the other byte order
  int datatype = 0, intent = 0, units = 0;
  std::vector<std::int64_t> size;  // dim[1] … dim[dim[0]]
  std::array<double, 8> pixdim{};  // pixdim[0] is qfac
  std::int64_t voxel_offset = 0;
  double slope = 1, intercept = 0;
  int qform_code = 0, sform_code = 0;
  Vec3 quaternion{}, qoffset{};
  std::array<std::array<double, 4>, 3> sform{};
};

// Nothing if the file is not single-file NIfTI. Throws on one whose sizes or geometry are unusable.
std::optional<NiftiHeader> read_nifti_header(const Path& path);

// Geometry, type and components of a version 2 file (of a version 1 file ITK says them).
ImageHeader describe_nifti(const Path& path, const NiftiHeader& nifti);

// Fills raw.bytes, type, slope and intercept; raw.header must be there.
void read_nifti_voxels(const Path& path, const NiftiHeader& nifti, RawImage& raw);

}  // namespace aladdin
