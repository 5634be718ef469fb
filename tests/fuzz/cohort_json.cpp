#include "aladdin/image/cohort.h"
#include "fuzz.h"

using namespace aladdin;

// The dataset.json of Decathlon and nnU-Net folders.
ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("set/dataset.json", data, size);
  fuzz::meet([&] { read_cohort(path.parent_path().string()); }, true);
  return 0;
}
