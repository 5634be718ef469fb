#include "aladdin/transform/foreign_transform.h"

#include "aladdin/core/error.h"
#include "aladdin/transform/matrix_text.h"

namespace aladdin {
namespace {

[[noreturn]] void refuse(const Path& path, const char* what, const char* hint) {
  throw Error(fmt::format("'{}' is {}, which is not supported", path.string(), what)).hint(hint);
}

}  // namespace

bool has_foreign_extension(const Path& path) {
  const std::string extension = full_extension(path);
  return extension == ".1d" || extension == ".m3z";
}

void refuse_foreign_transform(const Path& path) {
  file_bytes(path);  // that it is there, and no pipe
  const std::string extension = full_extension(path);
  if (extension == ".m3z")
    refuse(path, "a nonlinear transform of FreeSurfer (M3Z)",
           "convert it with FreeSurfer's 'mri_warp_convert --inm3z IN.m3z --outitk OUT.nii.gz'");
  if (extension == ".1d")
    refuse(path, "a matrix of AFNI (.1D)", "convert it to ITK's format with NiTransforms");
  const std::string text = read_start(path, 1 << 16);
  if (text.starts_with("MNI Transform File"))
    refuse(path, "an MNI transform (.xfm)", "convert it to ITK's format with NiTransforms");
  if (parse_matrix(text))
    throw Error(fmt::format("'{}' is a plain 4 x 4 matrix, which does not say whether it "
                            "is RAS mm (Greedy, c3d, NiftyReg, MRtrix3) or voxels (FSL)",
                            path.string()))
        .hint(fmt::format("say whose it is: '{0},as=greedy' or '{0},as=fsl,src=IMAGE,ref=IMAGE'",
                          path.string()));
}

}  // namespace aladdin
