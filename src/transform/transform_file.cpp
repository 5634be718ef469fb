#include "aladdin/transform/transform_file.h"

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/itk_file.h"

namespace aladdin {
namespace {

std::string xfm_name(const std::string& id, const char* from, const char* to) {
  return fmt::format("{}_from-{}_to-{}_mode-image_xfm.nii.gz", id, from, to);
}

VectorImage read_field(const Path& path, const char* expected, const char* hint) {
  if (read_header(path).components == 1)
    throw Error(fmt::format("'{}' is an image with one value a voxel, expected {}", path.string(),
                            expected))
        .hint(hint);
  return read_vectors(path);
}

}  // namespace

bool has_transform_extension(const Path& path) {
  const std::string extension = full_extension(path);
  for (const char* known : {".tfm", ".txt", ".mat", ".h5", ".hdf5", ".xfm"})
    if (extension == known) return true;
  return false;
}

Chain read_transform(const Path& path) {
  if (has_transform_extension(path)) return read_itk_transform(path);
  const char* hint =
      "a displacement field has one vector a voxel; an affine is a .tfm, .txt, .mat or .h5";
  Chain chain;
  chain.emplace_back(Displacement(read_field(path, "a transform", hint)));
  return chain;
}

void write_affine(const Path& path, const Affine& affine) {
  if (!has_transform_extension(path))
    fail_usage("'{}' does not end in .tfm, .txt, .mat or .h5", path.string());
  write_itk_affine(path, affine);
}

Affine read_affine(const Path& path) {
  const Chain chain = read_transform(path);
  const auto* affine = chain.size() == 1 ? std::get_if<Affine>(&chain[0]) : nullptr;
  if (!affine) fail("'{}' is no affine map, expected one", path.string());
  return *affine;
}

void write_displacement(const Path& path, const Displacement& displacement) {
  write_vectors(path, displacement.vectors);
}

Velocity read_velocity(const Path& path) {
  return Velocity(read_field(path, "a velocity field", "it has one vector a voxel"));
}

void write_velocity(const Path& path, const Velocity& velocity) {
  write_vectors(path, velocity.vectors);
}

std::string native_to_atlas_name(const std::string& id) { return xfm_name(id, "native", "atlas"); }
std::string atlas_to_native_name(const std::string& id) { return xfm_name(id, "atlas", "native"); }

}  // namespace aladdin
