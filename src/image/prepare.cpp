#include "aladdin/image/prepare.h"

#include <cmath>

#include "aladdin/image/resample.h"

namespace aladdin {

Image prepare(Image native, const IntensityMap& intensity, const Grid& grid, const Vec3& shift) {
  apply(intensity, native);
  Image out = resample(native, grid, shift, 0);
  for (float& value : out.values) value = static_cast<float>(std::lround(value * kWhite)) / kWhite;
  return out;
}

}  // namespace aladdin
