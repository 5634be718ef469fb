#include "aladdin/image/io.h"
#include "aladdin/transform/transform_file.h"
#include "fuzz.h"

using namespace aladdin;

// Fields of three volumes: FNIRT's and MRtrix3's as NIfTI, MRtrix3's as .mif.
ALADDIN_FUZZ(data, size) {
  static const Path image = [] {
    const Path path = fuzz::folder() / "image.nii";
    write_image(path, Image(Grid{3, {3, 4, 5}}));
    return path;
  }();
  const Path nifti = fuzz::input_file("field.nii", data, size);
  fuzz::meet([&] { read_transform({nifti, TransformFormat::fsl, image}); });
  fuzz::meet([&] { read_transform({nifti, TransformFormat::mrtrix}); });
  const Path mif = fuzz::input_file("field.mif", data, size);
  fuzz::meet([&] { read_transform(mif); });
  return 0;
}
