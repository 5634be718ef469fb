#include "aladdin/image/io.h"
#include "fuzz.h"

using namespace aladdin;

// Headers whose voxels are in other files: MetaImage where the first byte is odd, else NRRD.
ALADDIN_FUZZ(data, size) {
  if (size == 0) return 0;
  for (const char* name : {"s001.raw", "s002.raw"})
    if (!std::filesystem::exists(fuzz::folder() / name))
      fuzz::input_file(name, reinterpret_cast<const std::uint8_t*>("0123456789abcdef"), 16);
  const Path path = fuzz::input_file(data[0] % 2 == 1 ? "a.mhd" : "a.nhdr", data + 1, size - 1);
  fuzz::meet([&] { read_header(path); });
  fuzz::meet([&] { read_image(path); });
  return 0;
}
