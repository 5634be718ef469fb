#include "aladdin/transform/transform_file.h"
#include "fuzz.h"

using namespace aladdin;

ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("a.x5", data, size);
  fuzz::meet([&] { read_transform(path); });
  return 0;
}
