#include "aladdin/transform/transform_file.h"
#include "fuzz.h"

using namespace aladdin;

// Displacement fields as NIfTI.
ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("field.nii.gz", data, size);
  fuzz::meet([&] { read_transform(path); });
  return 0;
}
