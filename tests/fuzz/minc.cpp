#include "aladdin/image/io.h"
#include "fuzz.h"

using namespace aladdin;

// ITK's MINC works in a process of its own: what is met here is what comes back from there.
ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("a.mnc", data, size);
  fuzz::meet([&] { read_header(path); });
  fuzz::meet([&] { read_image(path); });
  return 0;
}
