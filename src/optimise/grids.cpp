#include "aladdin/optimise/grids.h"

#include "aladdin/kernels/pyramid.h"

namespace aladdin {

kernels::Shape coarser(kernels::Shape shape, int r) {
  for (; r > 1; r /= 2) shape = kernels::half(shape);
  return shape;
}

std::vector<float> reduced(std::vector<float> image, kernels::Shape shape, int r) {
  if (image.empty()) return image;
  for (; r > 1; r /= 2) {
    const kernels::Shape coarse = kernels::half(shape);
    std::vector<float> out(static_cast<std::size_t>(coarse.voxels()));
    kernels::reduce(image.data(), out.data(), shape, 1);
    image.swap(out);
    shape = coarse;
  }
  return image;
}

std::vector<float> refined(std::vector<float> field, const kernels::Shape& full, int from, int to) {
  for (int r = from / 2; r >= to && r > 0; r /= 2) {
    const kernels::Shape fine = coarser(full, r);
    std::vector<float> out(static_cast<std::size_t>(fine.dims * fine.voxels()));
    kernels::refine(field.data(), out.data(), fine);
    field.swap(out);
  }
  return field;
}

}  // namespace aladdin
