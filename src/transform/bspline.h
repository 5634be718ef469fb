// Cubic B-spline interpolation (Unser 1993): f(x) = sum_k c_k b3(x - k), with coefficients such
// that f goes through the voxels; mirrored at the outermost voxels. Agrees with ITK's
// BSplineInterpolate.
#pragma once

#include "aladdin/image/image.h"

namespace aladdin {

class CubicBSpline {
 public:
  explicit CubicBSpline(const Image& image);  // the prefilter, in parallel
  // At a continuous index inside the buffer.
  float operator()(const Vec3& index) const;

 private:
  Image coefficients_;
};

}  // namespace aladdin
