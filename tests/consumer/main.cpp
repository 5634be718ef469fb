#include <cstdio>

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"

int main() {
  aladdin::Grid grid;
  grid.size = {4, 3, 2};
  aladdin::write_image("consumer.nii.gz", aladdin::Image(grid, 2.0F));
  const aladdin::Image image = aladdin::read_image("consumer.nii.gz");
  std::printf("%s\n", aladdin::describe(image.grid).c_str());
  try {
    aladdin::read_image("missing.nii.gz");
  } catch (const aladdin::Error& error) {  // the type must be the same on both sides of the library
    std::printf("%s\n", error.what());
    return image.at(3, 2, 1) == 2.0F ? 0 : 1;
  }
  return 1;
}
