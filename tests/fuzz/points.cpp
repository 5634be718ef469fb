#include "fuzz.h"
#include "point_file.h"

using namespace aladdin;

ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("points.csv", data, size);
  for (const int dims : {2, 3})
    fuzz::meet([&] { static_cast<void>(app::PointFile(path, dims, dims == 2).text()); });
  return 0;
}
