#include "aladdin/optimise/lie.h"

#include <algorithm>
#include <array>

namespace aladdin {
namespace {

using Values = std::vector<float>;

// out += sign Dv w
void add_derivative(const Values& v, const Values& w, float sign, const kernels::Shape& s,
                    Values& out) {
  const std::array<std::int64_t, 3> size{s.w, s.h, s.d}, stride{1, s.w, s.w * s.h};
  for (int axis = 0; axis < s.dims; ++axis) {
    if (size[axis] < 2) continue;
    const float* along = w.data() + axis * s.voxels();
    for (std::int64_t x = 0; x < s.voxels(); ++x) {
      const std::int64_t i = x / stride[axis] % size[axis];
      const std::int64_t after = i + 1 < size[axis] ? x + stride[axis] : x,
                         before = i > 0 ? x - stride[axis] : x;
      const float by = sign * along[x] / float((after - before) / stride[axis]);
      for (int c = 0; c < s.dims; ++c) {
        const float* f = v.data() + c * s.voxels();
        out[c * s.voxels() + x] += by * (f[after] - f[before]);
      }
    }
  }
}

}  // namespace

Values bracket(const Values& v, const Values& w, const kernels::Shape& shape) {
  Values out(v.size(), 0.0F);
  add_derivative(v, w, 1, shape, out);
  add_derivative(w, v, -1, shape, out);
  return out;
}

Values composed(const Values& v, const Values& w, const kernels::Shape& shape) {
  const Values b = bracket(v, w, shape), vb = bracket(v, b, shape), wb = bracket(w, b, shape);
  Values out(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) out[i] = v[i] + w[i] + b[i] / 2 + (vb[i] - wb[i]) / 12;
  return out;
}

}  // namespace aladdin
