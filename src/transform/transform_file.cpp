#include "aladdin/transform/transform_file.h"

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/foreign_transform.h"
#include "aladdin/transform/fsl_file.h"
#include "aladdin/transform/itk_file.h"
#include "aladdin/transform/lta_file.h"
#include "aladdin/transform/matrix_text.h"
#include "aladdin/transform/mrtrix_file.h"
#include "aladdin/transform/x5_file.h"

namespace aladdin {
namespace {

std::string xfm_name(const std::string& id, const char* from, const char* to) {
  return fmt::format("{}_from-{}_to-{}_mode-image_xfm.nii.gz", id, from, to);
}

ImageHeader require_vectors(const Path& path, const char* expected, const char* hint) {
  ImageHeader header = read_header(path);
  if (header.components == 1)
    throw Error(fmt::format("'{}' is an image with one value per voxel, expected {}", path.string(),
                            expected))
        .hint(hint);
  return header;
}

bool is_image_name(const Path& path) {
  const std::string extension = full_extension(path);
  for (const char* known : {".nii", ".nii.gz", ".nrrd", ".nhdr", ".mha", ".mhd"})
    if (extension == known) return true;
  return false;
}

// Vectors that are to be of the format that the user named.
void require_kind(const TransformFile& file, VectorKind kind) {
  const bool spm = kind == VectorKind::spm_positions, lps = kind == VectorKind::displacements;
  const bool expected = file.format == TransformFormat::spm      ? spm
                        : file.format == TransformFormat::greedy ? lps
                        : file.format == TransformFormat::niftyreg ||
                                file.format == TransformFormat::niftyreg_displacement
                            ? !spm && !lps
                            : true;
  if (!expected)
    fail("'{}' is a {} by its header, not one of '{}'", file.path.string(), name_of(kind),
         name_of(file.format));
}

Chain read_field(const TransformFile& file) {
  const char* hint =
      "a displacement field has one vector per voxel; an affine is a .tfm, .txt, .mat, .h5 or .lta "
      "file";
  require_kind(file, require_vectors(file.path, "a transform", hint).vectors);
  Chain chain;
  chain.emplace_back(Displacement(read_vectors(file.path)));
  return chain;
}

// Where the user did not say, and the name or the header does.
TransformFormat format_of(const TransformFile& file) {
  if (file.format != TransformFormat::automatic) return file.format;
  if (full_extension(file.path) == ".lta") return TransformFormat::lta;
  if (full_extension(file.path) == ".x5") return TransformFormat::x5;
  if (is_mrtrix_name(file.path)) return TransformFormat::mrtrix;
  if (has_transform_extension(file.path)) return TransformFormat::itk;
  const auto volumes = read_volumes_header(file.path);
  if (!volumes) return TransformFormat::itk;
  if (volumes->each.vectors == VectorKind::fsl_displacements ||
      volumes->each.vectors == VectorKind::fsl_coefficients)
    return TransformFormat::fsl;
  if (volumes->count == 3)
    throw Error(fmt::format("'{}' has three volumes, and nothing says whose field they are",
                            file.path.string()))
        .hint(fmt::format("say it: '{0},as=mrtrix' or '{0},as=fsl,src=IMAGE'", file.path.string()));
  return TransformFormat::itk;
}

}  // namespace

bool has_transform_extension(const Path& path) {
  const std::string extension = full_extension(path);
  for (const char* known : {".tfm", ".txt", ".mat", ".h5", ".hdf5", ".xfm", ".lta", ".x5"})
    if (extension == known) return true;
  return has_foreign_extension(path);
}

Chain read_transform(const Path& path) { return read_transform(TransformFile{path}); }

Chain read_transform(const TransformFile& file) {
  const Path& path = file.path;
  if (!is_folder(path)) file_bytes(path);
  switch (format_of(file)) {
    case TransformFormat::lta:
      return {read_lta(path)};
    case TransformFormat::x5:
      return read_x5(path);
    case TransformFormat::fsl:
      if (is_image_name(path)) return {read_fnirt(file)};
      return {read_flirt(file)};
    case TransformFormat::mrtrix:
      if (is_image_name(path) || is_mrtrix_name(path)) return {read_mrtrix_deformation(path)};
      return {flip_ras(read_matrix(path))};
    case TransformFormat::greedy:
    case TransformFormat::niftyreg:
    case TransformFormat::niftyreg_displacement:
      if (is_image_name(path)) return read_field(file);
      return {flip_ras(read_matrix(path))};
    case TransformFormat::spm:
      return read_field(file);
    default:
      return has_transform_extension(path) ? read_itk_transform(path) : read_field(file);
  }
}

void write_affine(const Path& path, const Affine& affine) {
  const std::string extension = full_extension(path);
  if (extension == ".lta" || extension == ".x5" || !has_transform_extension(path) ||
      has_foreign_extension(path))
    fail_usage("'{}' does not end in .tfm, .txt, .mat or .h5", path.string());
  write_itk_affine(path, affine);
}

Affine read_affine(const Path& path) {
  const Chain chain = read_transform(path);
  const auto* affine = chain.size() == 1 ? std::get_if<Affine>(&chain[0]) : nullptr;
  if (!affine) fail("'{}' is not an affine map", path.string());
  return *affine;
}

void write_displacement(const Path& path, const Displacement& displacement) {
  write_vectors(path, displacement.vectors);
}

Velocity read_velocity(const Path& path) {
  const auto header = require_vectors(path, "a velocity field", "it has one vector per voxel");
  if (header.vectors != VectorKind::displacements)
    fail("'{}' is a {}, expected a velocity field in LPS mm", path.string(),
         name_of(header.vectors));
  return Velocity(read_vectors(path));
}

void write_velocity(const Path& path, const Velocity& velocity) {
  write_vectors(path, velocity.vectors);
}

std::string native_to_atlas_name(const std::string& id) { return xfm_name(id, "native", "atlas"); }
std::string atlas_to_native_name(const std::string& id) { return xfm_name(id, "atlas", "native"); }
std::string native_to_atlas_velocity_name(const std::string& id) {
  return id + "_from-native_to-atlas_mode-image_velocity.nii.gz";
}
std::string native_to_atlas_affine_name(const std::string& id) {
  return id + "_from-native_to-atlas_mode-image_affine.tfm";
}

}  // namespace aladdin
