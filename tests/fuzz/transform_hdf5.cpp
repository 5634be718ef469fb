#include "aladdin/transform/transform_file.h"
#include "fuzz.h"

using namespace aladdin;

// HDF5's library works in a process of its own: what is met here is what comes back from there.
ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("a.h5", data, size);
  fuzz::meet([&] { read_transform(path); });
  return 0;
}
