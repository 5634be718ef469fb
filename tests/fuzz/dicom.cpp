#include "aladdin/image/io.h"
#include "fuzz.h"

using namespace aladdin;

// One slice, as a file and as the only one of a series.
ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("series/a.dcm", data, size);
  fuzz::meet([&] { read_image(path); });
  fuzz::meet([&] { read_image(path.parent_path()); });
  return 0;
}
