#include <algorithm>
#include <cmath>

#include "aladdin/image/nifti_file.h"

namespace aladdin {
namespace {

constexpr int kNoIntent = 0, kDisplacementIntent = 1006, kVectorIntent = 1007;
constexpr int kFslField = 2006, kFslCoefficients[] = {2007, 2008, 2009};

// SPM's batch for deformations sets the intent; its segmentation and CAT12 set nothing but the description.
bool is_spm(const NiftiHeader& nifti) {
  if (nifti.size.size() != 5 || nifti.size[3] != 1 || nifti.size[4] != 3) return false;
  if (nifti.intent == kVectorIntent) return nifti.intent_name == "Mapping";
  return nifti.intent == kNoIntent &&
         (nifti.description == "Deformation" || nifti.description == "Inverse Deformation" ||
          nifti.description == "Deformation field");
}

// NiftyReg numbers its kinds of transforms in intent_p1.
VectorKind niftyreg_kind(double code) {
  if (code == 0) return VectorKind::niftyreg_positions;
  if (code == 1) return VectorKind::niftyreg_displacements;
  if (code == 2 || code == 6) return VectorKind::niftyreg_control_points;
  if (code == 3 || code == 4 || code == 5) return VectorKind::niftyreg_velocity;
  return VectorKind::niftyreg_unknown;
}

void require_convertible(const Path& path, const NiftiHeader& nifti, VectorKind kind) {
  if (kind == VectorKind::niftyreg_control_points || kind == VectorKind::niftyreg_velocity)
    throw Error(fmt::format("'{}' is a {}, expected one displacement per voxel", path.string(),
                            name_of(kind)))
        .hint("turn it into a deformation field with NiftyReg's 'reg_transform -ref REF -def'");
  if (kind == VectorKind::niftyreg_unknown)
    throw Error(fmt::format("'{}' is a file of NiftyReg of an unknown kind ('{}', code {:g})",
                            path.string(), nifti.intent_name, nifti.intent_p1))
        .hint("turn it into a deformation field with NiftyReg's 'reg_transform -ref REF -def'");
}

void require_finite(const Path& path, const VectorImage& vectors) {
  const auto bad = std::ranges::count_if(vectors.values, [](float v) { return !std::isfinite(v); });
  if (bad > 0)
    throw Error(fmt::format("'{}' does not say where every voxel goes: {} of its {} values are NaN "
                            "or infinite",
                            path.string(), bad, vectors.values.size()))
        .hint("extrapolate the mapping to its whole grid");
}

}  // namespace

const char* name_of(VectorKind kind) {
  switch (kind) {
    case VectorKind::displacements:
      return "displacement field (LPS)";
    case VectorKind::spm_positions:
      return "SPM deformation field (RAS positions)";
    case VectorKind::niftyreg_positions:
      return "NiftyReg deformation field (RAS positions)";
    case VectorKind::niftyreg_displacements:
      return "NiftyReg displacement field (RAS)";
    case VectorKind::niftyreg_control_points:
      return "NiftyReg control-point grid";
    case VectorKind::niftyreg_velocity:
      return "NiftyReg velocity field";
    case VectorKind::fsl_displacements:
      return "FNIRT displacement field";
    case VectorKind::fsl_coefficients:
      return "FNIRT coefficient field";
    case VectorKind::niftyreg_unknown:
      break;
  }
  return "NiftyReg file";
}

bool has_vectors(const NiftiHeader& nifti) {
  return nifti.size.size() == 5 && nifti.size[3] == 1 &&
         (nifti.intent == kVectorIntent || nifti.intent == kDisplacementIntent || is_spm(nifti));
}

VectorKind nifti_vector_kind(const NiftiHeader& nifti) {
  if (nifti.intent == kFslField) return VectorKind::fsl_displacements;
  if (std::ranges::find(kFslCoefficients, nifti.intent) != std::end(kFslCoefficients))
    return VectorKind::fsl_coefficients;
  if (is_spm(nifti)) return VectorKind::spm_positions;
  if (nifti.intent_name == "NREG_TRANS") return niftyreg_kind(nifti.intent_p1);
  if (nifti.intent_name.starts_with("NREG_")) return VectorKind::niftyreg_unknown;
  return VectorKind::displacements;
}

void to_lps_displacement(const Path& path, const NiftiHeader& nifti, VectorImage& vectors) {
  const VectorKind kind = nifti_vector_kind(nifti);
  if (kind == VectorKind::displacements) return;
  require_convertible(path, nifti, kind);
  const Grid& grid = vectors.grid;
  // A slice that slice_grid turned is no longer where the world coordinates of the file are.
  if (grid.dims == 2 && !nifti_slice_lies_flat(path, nifti))
    throw Error(fmt::format("'{}' is a {} on a slice that is not axial, which cannot be converted",
                            path.string(), name_of(kind)))
        .hint("store it as a volume of vectors with three components");
  require_finite(path, vectors);
  const double mm = nifti_mm(nifti);  // both programs keep vectors in the units of the geometry
  const bool positions = kind != VectorKind::niftyreg_displacements;
  std::int64_t v = 0;
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i, ++v) {
        const Vec3 point =
            grid.to_point({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
        for (int c = 0; c < grid.dims; ++c) {
          float& value = vectors.component(c)[v];
          const double lps = (c < 2 ? -mm : mm) * static_cast<double>(value);
          value = static_cast<float>(positions ? lps - point[c] : lps);
        }
      }
}

VectorImage from_lps_displacement(const VectorImage& vectors, VectorKind kind) {
  const Grid& grid = vectors.grid;
  const bool positions = kind != VectorKind::niftyreg_displacements;
  VectorImage stored(grid);
  std::int64_t v = 0;
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i, ++v) {
        const Vec3 point =
            grid.to_point({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
        for (int c = 0; c < grid.dims; ++c) {
          const double lps = (positions ? point[c] : 0) + vectors.component(c)[v];
          stored.component(c)[v] = static_cast<float>(c < 2 ? -lps : lps);
        }
      }
  return stored;
}

}  // namespace aladdin
