#include "aladdin/image/cohort.h"
#include "fuzz.h"

using namespace aladdin;

ALADDIN_FUZZ(data, size) {
  const Path path = fuzz::input_file("cohort.csv", data, size);
  fuzz::meet([&] { read_cohort(path.string()); }, true);
  return 0;
}
