// The variance of an image in the window around each voxel, as LNCC has it (kernels/similarity.h), or with a window of 0
// that of the whole image, everywhere the same.
#pragma once

#include <vector>

#include "aladdin/kernels/field.h"

namespace aladdin {

std::vector<float> window_variance(const std::vector<float>& image, const kernels::Shape& shape,
                                   int window);

}  // namespace aladdin
