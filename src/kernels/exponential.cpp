#include "aladdin/kernels/exponential.h"

#include <cmath>
#include <vector>

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/packed.h"
#include "aladdin/kernels/warp.h"

namespace aladdin::kernels {
namespace {

void exponential_zero(const float* v, float* u, const Shape& s, int squarings, float sign) {
  const std::int64_t values = s.n * s.dims * s.voxels();
  const float scale = std::ldexp(sign, -squarings);
  for (std::int64_t i = 0; i < values; ++i) u[i] = scale * v[i];
  std::vector<float> there(static_cast<std::size_t>(values));
  for (int k = 0; k < squarings; ++k) {
    warp(u, u, there.data(), s, s.dims, Border::zero);
    for (std::int64_t i = 0; i < values; ++i) u[i] += there[i];
  }
}

}  // namespace

void exponential(const float* v, float* u, const Shape& s, int squarings, float sign,
                 Border border) {
  if (border == Border::zero) return exponential_zero(v, u, s, squarings, sign);
  if (s.w < 2) return reference::exponential(v, u, s, squarings, sign);
  const float scale = std::ldexp(sign, -squarings);
  const std::int64_t item = s.dims * s.voxels();
  if (squarings == 0) {
    for (std::int64_t i = 0; i < s.n * item; ++i) u[i] = scale * v[i];
    return;
  }
  Buffer step = packed::make(s), next = packed::make(s);
  for (std::int64_t n = 0; n < s.n; ++n) {
    packed::pack_into(v + n * item, step.get(), s, scale);
    for (int k = 0; k < squarings - 1; ++k) {
      packed::square(step.get(), next.get(), false, s);
      step.swap(next);
    }
    packed::square(step.get(), u + n * item, true, s);
  }
}

void exponential_backward(const float* v, const float* grad_u, float* grad_v, const Shape& s,
                          int squarings, float sign) {
  if (s.w < 2) return reference::exponential_backward(v, grad_u, grad_v, s, squarings, sign);
  const float scale = std::ldexp(sign, -squarings);
  const std::int64_t item = s.dims * s.voxels();
  std::vector<Buffer> steps;  // u_0 … u_{K-1} of one item
  for (int k = 0; k < std::max(1, squarings); ++k) steps.push_back(packed::make(s));
  Buffer grad = packed::make(s), next = packed::make(s);
  for (std::int64_t n = 0; n < s.n; ++n) {
    packed::pack_into(v + n * item, steps[0].get(), s, scale);
    for (int k = 0; k + 1 < squarings; ++k)
      packed::square(steps[k].get(), steps[k + 1].get(), false, s);
    packed::pack_into(grad_u + n * item, grad.get(), s, 1.0F);
    for (int k = squarings - 1; k >= 0; --k) {
      packed::square_backward(steps[k].get(), grad.get(), next.get(), s);
      grad.swap(next);
    }
    packed::unpack(grad.get(), grad_v + n * item, s, scale);
  }
}

}  // namespace aladdin::kernels
