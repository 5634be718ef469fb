#include "aladdin/network/model.h"
#include "fuzz.h"

using namespace aladdin;

ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("model.safetensors", data, size);
  fuzz::meet([&] { read_model(path); });
  return 0;
}
