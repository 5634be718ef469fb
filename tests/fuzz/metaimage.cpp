#include "aladdin/image/io.h"
#include "fuzz.h"

using namespace aladdin;

// ITK's reader, as we call it: our checks first.
ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("a.mha", data, size);
  fuzz::meet([&] { read_header(path); });
  fuzz::meet([&] { read_image(path); });
  fuzz::meet([&] { read_vectors(path); });
  return 0;
}
