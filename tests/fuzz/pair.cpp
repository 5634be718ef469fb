#include <algorithm>

#include "aladdin/image/io.h"
#include "fuzz.h"

using namespace aladdin;

// A header and its voxels in two files, NIfTI or Analyze: the first 348 bytes, and the rest.
ALADDIN_FUZZ(data, size) {
  const std::size_t header = std::min<std::size_t>(size, 348);
  const Path path = fuzz::input_file("a.hdr", data, header);
  fuzz::input_file("a.img", data + header, size - header);
  fuzz::meet([&] { read_header(path); });
  fuzz::meet([&] { read_image(path); });
  fuzz::meet([&] { read_vectors(path); });
  return 0;
}
