// The registration of one image by a method that has neither network nor energy to descend along (config/methods.h):
// demons, or nothing at all.
#pragma once

#include <array>
#include <vector>

#include "aladdin/config/config.h"
#include "aladdin/kernels/field.h"

namespace aladdin {

// The displacement, planar and in voxels of `grid`, that pulls the image to the atlas, from `start` on.
std::vector<float> register_by_own_means(const Config& config, const kernels::Shape& grid,
                                         const std::array<double, 3>& spacing_mm,
                                         const std::vector<float>& atlas,
                                         const std::vector<float>& image,
                                         const std::vector<float>& start);

}  // namespace aladdin
