#include "aladdin/network/safetensors.h"
#include "fuzz.h"

using namespace aladdin;

// The container of models and checkpoints.
ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("a.safetensors", data, size);
  fuzz::meet([&] {
    const Safetensors file(path);
    for (const auto& [name, entry] : file.entries())
      if (entry.dtype == Dtype::f32) file.values<float>(name, entry.shape);
  });
  return 0;
}
