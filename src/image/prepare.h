// What every image goes through before the network sees it, be it of the cohort or new: intensities to
// [0, 1], then by a translation onto the working grid, 0 outside the field of view, rounded to the 16-bit
// fixed point in which a Dataset keeps it.
#pragma once

#include "aladdin/image/intensity.h"

namespace aladdin {

constexpr float kWhite = 65535;  // 1 in fixed point

Image prepare(Image native, const IntensityMap& intensity, const Grid& grid, const Vec3& shift);

}  // namespace aladdin
