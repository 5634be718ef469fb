#include "aladdin/transform/transform_file.h"

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/foreign_transform.h"
#include "aladdin/transform/itk_file.h"

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

}  // namespace

bool has_transform_extension(const Path& path) {
  const std::string extension = full_extension(path);
  for (const char* known : {".tfm", ".txt", ".mat", ".h5", ".hdf5", ".xfm"})
    if (extension == known) return true;
  return has_foreign_extension(path);
}

Chain read_transform(const Path& path) {
  if (has_transform_extension(path)) return read_itk_transform(path);
  const char* hint =
      "a displacement field has one vector per voxel; an affine is a .tfm, .txt, .mat or .h5 file";
  require_vectors(path, "a transform", hint);
  Chain chain;
  chain.emplace_back(Displacement(read_vectors(path)));
  return chain;
}

void write_affine(const Path& path, const Affine& affine) {
  if (!has_transform_extension(path) || has_foreign_extension(path))
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

}  // namespace aladdin
