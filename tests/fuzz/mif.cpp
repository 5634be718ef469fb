#include "aladdin/image/io.h"
#include "fuzz.h"

using namespace aladdin;

// Plain or gzip: the reader tells by itself.
ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("a.mif", data, size);
  fuzz::meet([&] { read_header(path); });
  fuzz::meet([&] { read_image(path); });
  fuzz::meet([&] { read_image(path.string() + ",1"); });
  fuzz::meet([&] { read_labels(path); });
  fuzz::meet([&] { read_volumes(path); });
  return 0;
}
