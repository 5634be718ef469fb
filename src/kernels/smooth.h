// Smoothing by a Gaussian of `sigma` voxels, cut at three sigmas and normalised before it is cut at the border:
//
//   out[x] = sum_{|k| <= r} w_k in[x + k],   w_k ~ exp(-k^2 / (2 sigma^2)),   r = ceil(3 sigma),   in = 0 outside
//
// along each of the `dims` axes in turn. The weights are symmetric, so the way back is the same sum of the gradient.
#pragma once

#include "aladdin/kernels/field.h"

namespace aladdin::kernels {

// (n, channels, voxels) each; `out` is not `in`. sigma > 0.
void smooth(const float* in, float* out, const Shape& shape, int channels, double sigma);

namespace reference {
template <class T>
void smooth(const T* in, T* out, const Shape& shape, int channels, double sigma);
}
}  // namespace aladdin::kernels
