#include "aladdin/image/io.h"
#include "aladdin/transform/transform_file.h"
#include "fuzz.h"

using namespace aladdin;

// Plain matrices, of FSL and of all others.
ALADDIN_FUZZ(data, size) {
  static const Path image = [] {
    const Path path = fuzz::folder() / "image.nii";
    write_image(path, Image(Grid{3, {3, 4, 5}}));
    return path;
  }();
  const Path path = fuzz::input_file("a.mat", data, size);
  fuzz::meet([&] { read_transform({path, TransformFormat::greedy}); });
  fuzz::meet([&] { read_transform({path, TransformFormat::fsl, image, image}); });
  return 0;
}
