// Image files: NIfTI-1/2, NRRD, MetaImage and FreeSurfer's MGH to read and write; Analyze, MRtrix3's MIF, MINC 2 (where ITK
// has it) and DICOM series (a folder) to read. Every scalar type, scl_slope/inter, qform/sform (nifti_file.h says which counts). NIfTI is
// written as version 1, as version 2 where an axis has more than 32767 voxels. A volume of one slice
// is a 2-D image. A file that cannot be used is refused with one sentence that names it. Files are
// written beside their name and renamed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aladdin/core/files.h"
#include "aladdin/image/image.h"

namespace aladdin {

// What the vectors of a file are, according to its header.
enum class VectorKind {
  displacements,  // LPS mm, as ITK and ANTs write them; also those of any other file
  spm_positions,  // SPM's deformations, y_*.nii: for each voxel the RAS mm that it is mapped to
  niftyreg_positions,      // NiftyReg's deformation fields: likewise
  niftyreg_displacements,  // RAS mm
  niftyreg_control_points,
  niftyreg_velocity,
  niftyreg_unknown,   // of an older version, or with an unknown code
  fsl_displacements,  // FNIRT, a 4-D NIfTI: mm along the axes of FSL, which src/transform converts
  fsl_coefficients    // likewise, but of splines or cosines
};
// "NiftyReg deformation field (RAS positions)".
const char* name_of(VectorKind kind);

// What the header of a file says.
struct ImageHeader {
  Grid grid;
  std::string format;  // "NIfTI", "Analyze", "NRRD", "MetaImage", "MGH", "MRtrix3", "MINC", "DICOM"
  std::string type;    // "uint8", "float32", …
  int components = 1;  // 1: an image or a label map; dims: vectors
  bool integer = false;
  VectorKind vectors = VectorKind::displacements;  // where components > 1
  std::string note{};  // what had to be assumed of its geometry; usually empty
};

// The functions below take one volume of a 4-D NIfTI, MGH or MIF by its index, counted from 0, behind a comma:
// "func.nii.gz,12".
ImageHeader read_header(const Path& path);
// The file of such a name.
Path file_of_image(const Path& path);

// A 4-D NIfTI, MGH or MIF: what each of its volumes is, and how many there are; each.vectors says whether FSL calls all of them one
// field. Nothing for any other file.
struct VolumesHeader {
  ImageHeader each;
  std::int64_t count = 0;
};
std::optional<VolumesHeader> read_volumes_header(const Path& path);

// What read_image and read_labels do with NaN, for the whole process, like the number of threads; refused unless set.
// Infinite values are refused always.
enum class NanPolicy { refuse, zero };
void set_nan_policy(NanPolicy policy);

// A grid that the file at `path` claims, if it can be used: valid, its axes unit vectors; in 2-D at right angles. Else throws.
Grid usable_grid(Grid grid, const Path& path);

// Values after slope and intercept. Refused: 4-D, RGB, vectors, NaN or infinite values.
Image read_image(const Path& path);
// Whole numbers (of any pixel type), 0 and above, within int32.
Labels read_labels(const Path& path);
// Displacements in mm, LPS: as ITK writes them (5-D vector NIfTI, NRRD, MHA), or converted from a deformation of SPM or
// a dense field of NiftyReg. Refused: control points and velocities of NiftyReg.
VectorImage read_vectors(const Path& path);
// What write_volumes wrote, or any 4-D NIfTI, MGH or MIF: its volumes one after the other.
std::vector<Image> read_volumes(const Path& path);

// Throws unless `path` ends in a format we write: .nii, .nii.gz, .nrrd, .mha, .mgz, .mgh.
void require_image_extension(const Path& path);

void write_image(const Path& path, const Image& image);     // float32
void write_labels(const Path& path, const Labels& labels);  // the smallest integer type that fits
// float32. Displacements in mm, LPS; as positions or displacements of SPM or NiftyReg they are converted, those of FSL are
// written as they are. All but the first kind are NIfTI only.
void write_vectors(const Path& path, const VectorImage& vectors,
                   VectorKind kind = VectorKind::displacements);
// Several volumes on one grid, one after the other, as a 4-D NIfTI or MIF (float32).
void write_volumes(const Path& path, const Grid& grid, const std::vector<float>& values);

}  // namespace aladdin
