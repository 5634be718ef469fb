#include <utility>

#include "aladdin/kernels/smooth.h"
#include "aladdin/kernels/smooth_weights.h"

namespace aladdin::kernels::reference {

template <class T>
void smooth(const T* in, T* out, const Shape& s, int channels, double sigma) {
  const std::vector<T> weights = smooth_weights<T>(sigma);
  const auto radius = static_cast<std::int64_t>(weights.size() / 2);
  const std::int64_t count = s.n * channels * s.voxels();
  const std::int64_t sizes[3] = {s.w, s.h, s.d}, steps[3] = {1, s.w, s.w * s.h};
  std::vector<T> from(in, in + count);
  for (int axis = 0; axis < s.dims; ++axis) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t at = i / steps[axis] % sizes[axis];
      T sum = 0;
      for (std::int64_t k = -radius; k <= radius; ++k)
        if (at + k >= 0 && at + k < sizes[axis])
          sum += weights[k + radius] * from[i + k * steps[axis]];
      out[i] = sum;
    }
    from.assign(out, out + count);
  }
}

template void smooth(const float*, float*, const Shape&, int, double);
template void smooth(const double*, double*, const Shape&, int, double);

}  // namespace aladdin::kernels::reference
