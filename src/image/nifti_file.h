// Inside this folder only: NIfTI, versions 1 and 2, in one file (.nii, .nii.gz) or in two (.hdr and
// .img, either gzipped), and Analyze 7.5, which is read as NIfTI-1 without forms, units and slope. ITK
// 5.2 reads no NIfTI-2 at all, of a NIfTI-1 it stops before the gzip checksum, so that a damaged file
// passes for an image, and nifti's library does not survive every header; therefore headers and voxels
// are read here, the latter checked to the last byte.
//
// Geometry, the same for both versions, is chosen as ITK 5.2.1 does (found by experiment, held by
// nifti_test.cpp), so that ITK's programs see our images where we do:
//   the sform  if its code is 1 (scanner), or if its code is > 0 and there is no qform; it must be
//              usable: axes at right angles within 1e-4, as long as pixdim says within 1e-3;
//   the qform  else, if its code is > 0: also beside an sform that is aligned, Talairach or MNI
//              (codes 2 to 4), or is not usable;
//   refused    else, if there is an sform: it is singular or contradicts pixdim;
//   neither    both codes are 0: pixdim along the LPS axes, the first voxel at 0.
// The spacing is pixdim's. A sform that is sheared by a cosine above 1e-3 and is a scanner's, or is alone, is taken with its
// own spacing: ITK takes the qform, which cannot say it, or refuses the file. We differ also where ITK errs: it takes metres and micrometres into
// account in the spacing but not in the origin, and refuses an sform whose offset is thousands of
// times its spacing.
#pragma once

#include <array>
#include <optional>

#include "aladdin/image/raw_image.h"

namespace aladdin {

struct NiftiHeader {
  Path voxels;  // the file that holds them
  int version = 1;
  bool analyze = false;
  bool swapped = false;  // the other byte order
  int datatype = 0, intent = 0, units = 0;
  std::vector<std::int64_t> size;  // dim[1] … dim[dim[0]]
  std::array<double, 8> pixdim{};  // pixdim[0] is qfac
  std::int64_t voxel_offset = 0;
  double slope = 1, intercept = 0;
  int qform_code = 0, sform_code = 0;
  Vec3 quaternion{}, qoffset{};
  std::array<std::array<double, 4>, 3> sform{};
  double intent_p1 = 0;
  std::string intent_name{}, description{};
};

// Nothing if the file is neither NIfTI nor Analyze; of a pair either file may be named. Throws on one
// whose sizes or geometry are unusable. `volumes`: a fourth axis is allowed.
std::optional<NiftiHeader> read_nifti_header(const Path& path, bool volumes = false);

// Geometry, type and components.
ImageHeader describe_nifti(const Path& path, const NiftiHeader& nifti);

// nifti_geometry.cpp: the grid of the first `dims` axes, by the rule above.
Grid nifti_grid(const Path& path, const NiftiHeader& nifti, int dims);
// For ImageHeader::note: there is no form at all, the two are more than a tenth of a voxel apart, or shape_note().
std::string nifti_geometry_note(const Path& path, const NiftiHeader& nifti, int dims);

// Both axes of a slice lie in the first two of the world, so that slice_grid leaves it there.
bool nifti_slice_lies_flat(const Path& path, const NiftiHeader& nifti);
// mm in one of the header's units of length.
double nifti_mm(const NiftiHeader& nifti);

// nifti_vectors.cpp: five dimensions of which the last holds the components of one vector per voxel.
bool has_vectors(const NiftiHeader& nifti);
// Whose convention they follow, by the header alone.
VectorKind nifti_vector_kind(const NiftiHeader& nifti);
// What a file of that kind stores of displacements in mm, LPS, on the same grid.
VectorImage from_lps_displacement(const VectorImage& vectors, VectorKind kind);
// What the file stores, as displacements in mm, LPS. Throws for kinds that are no displacement per voxel, and for
// vectors that are not finite.
void to_lps_displacement(const Path& path, const NiftiHeader& nifti, VectorImage& vectors);

// Nothing for colours, complex numbers and 128-bit floats.
std::optional<Scalar> nifti_scalar(int datatype);

// Fills raw.bytes, type, slope and intercept; raw.header must be there.
void read_nifti_voxels(const Path& path, const NiftiHeader& nifti, RawImage& raw);

// nifti_write.cpp: all bytes of a single file before its voxels, with the grid as sform and qform (scanner), of version
// 1, or 2 where an axis is too long for that. The components of vectors come one after the other, as VectorImage has
// them; `volumes` above 0: so many along a fourth axis.
// `kind` sets the intent of vectors, and of volumes that are a field of FSL.
std::string nifti_header_bytes(const Grid& grid, Scalar type, int components, std::int64_t volumes,
                               VectorKind kind = VectorKind::displacements);

}  // namespace aladdin
