#include "aladdin/transform/transform_file.h"

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/itk_file.h"

namespace aladdin {
namespace {

std::string xfm_name(const std::string& id, const char* from, const char* to) {
  return fmt::format("{}_from-{}_to-{}_mode-image_xfm.nii.gz", id, from, to);
}

}  // namespace

Chain read_transform(const Path& path) {
  if (is_itk_transform_file(path)) return read_itk_transform(path);
  const ImageHeader header = read_header(path);
  if (header.components == 1)
    throw Error(
        fmt::format("'{}' is an image with one value a voxel, expected a transform", path.string()))
        .hint(
            "a displacement field has one vector a voxel; an affine is a .tfm, .txt, .mat or .h5");
  Chain chain;
  chain.emplace_back(Displacement(read_vectors(path)));
  return chain;
}

void write_displacement(const Path& path, const Displacement& displacement) {
  write_vectors(path, displacement.vectors);
}

std::string native_to_atlas_name(const std::string& id) { return xfm_name(id, "native", "atlas"); }
std::string atlas_to_native_name(const std::string& id) { return xfm_name(id, "atlas", "native"); }

}  // namespace aladdin
