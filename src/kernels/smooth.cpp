#include "aladdin/kernels/smooth.h"

#include <algorithm>

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/buffer.h"
#include "aladdin/kernels/slabs.h"
#include "aladdin/kernels/smooth_weights.h"

namespace aladdin::kernels {
namespace {

// One binary for every x86-64: the compiler makes a version for each level, and the loader chooses.
// out = sum over k of weights[k] * in[k * step + x], x from 0 to w.
__attribute__((target_clones("avx512f", "avx2,fma", "default"), optimize("O3"))) void sum_shifted(
    const float* in, const float* weights, std::int64_t count, std::int64_t step, std::int64_t w,
    float* out) {
  std::fill_n(out, w, 0.0F);
  for (std::int64_t k = 0; k < count; ++k) {
    const float* from = in + k * step;
    const float weight = weights[k];
    for (std::int64_t x = 0; x < w; ++x) out[x] += weight * from[x];
  }
}

// Rows along an axis that is not x: each is a sum of whole rows.
void smooth_across(const float* in, float* out, const Shape& s, std::int64_t planes,
                   const std::vector<float>& weights, std::int64_t size, std::int64_t step_rows) {
  const auto radius = static_cast<std::int64_t>(weights.size() / 2);
  const Slabs slabs(planes * s.d * s.h, s.w, kPullVoxels);
  parallel_for(slabs.count(), [&](std::int64_t slab) {
    for (std::int64_t row = slabs.begin(slab); row < slabs.end(slab); ++row) {
      const std::int64_t at = row / step_rows % size;
      const std::int64_t first = std::max(-radius, -at), last = std::min(radius, size - 1 - at);
      sum_shifted(in + (row + first * step_rows) * s.w, weights.data() + radius + first,
                  last - first + 1, step_rows * s.w, s.w, out + row * s.w);
    }
  });
}

void smooth_along(const float* in, float* out, const Shape& s, std::int64_t planes,
                  const std::vector<float>& weights) {
  const auto radius = static_cast<std::int64_t>(weights.size() / 2);
  const Slabs slabs(planes * s.d * s.h, s.w, kPullVoxels);
  parallel_for(slabs.count(), [&](std::int64_t slab) {
    const Buffer padded = make_buffer(s.w + 2 * radius);
    std::fill_n(padded.get(), s.w + 2 * radius, 0.0F);
    for (std::int64_t row = slabs.begin(slab); row < slabs.end(slab); ++row) {
      std::copy_n(in + row * s.w, s.w, padded.get() + radius);
      sum_shifted(padded.get(), weights.data(), static_cast<std::int64_t>(weights.size()), 1, s.w,
                  out + row * s.w);
    }
  });
}

}  // namespace

void smooth(const float* in, float* out, const Shape& s, int channels, double sigma) {
  const std::vector<float> weights = smooth_weights<float>(sigma);
  const std::int64_t planes = s.n * channels;
  if (s.dims == 2) {
    const Buffer half = make_buffer(planes * s.voxels());
    smooth_along(in, half.get(), s, planes, weights);
    return smooth_across(half.get(), out, s, planes, weights, s.h, 1);
  }
  const Buffer half = make_buffer(planes * s.voxels());
  smooth_along(in, out, s, planes, weights);
  smooth_across(out, half.get(), s, planes, weights, s.h, 1);
  smooth_across(half.get(), out, s, planes, weights, s.d, s.h);
}

}  // namespace aladdin::kernels
