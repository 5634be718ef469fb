// The grids of a pyramid: that of every r-th voxel of `full`, r a power of 2, and what lives there (kernels/pyramid.h).
#pragma once

#include <vector>

#include "aladdin/kernels/field.h"

namespace aladdin {

kernels::Shape coarser(kernels::Shape full, int r);
// An image on `full`, or nothing, on the grid of every r-th voxel.
std::vector<float> reduced(std::vector<float> image, kernels::Shape full, int r);
// A displacement or velocity on the grid of every from-th voxel of `full` on that of every to-th.
std::vector<float> refined(std::vector<float> field, const kernels::Shape& full, int from, int to);

}  // namespace aladdin
