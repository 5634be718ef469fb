// Taps (kernels/tap.h) of a block of voxels of one row, axis by axis, without branches.
#pragma once

#include "aladdin/kernels/fast/vector.h"
#include "aladdin/kernels/field.h"

namespace aladdin::kernels::ALADDIN_SIMD {

constexpr int kBlock = 64;

struct AxisTaps {
  int base[kBlock];
  float w0[kBlock], w1[kBlock];
  float d0[kBlock], d1[kBlock];
};

// p(i) = position of voxel i along the axis. Every comparison is false for NaN, which thus lands at
// 0.
template <class Position>
ALADDIN_INLINE void clamp_taps(AxisTaps& taps, int count, std::int64_t size, Position&& p) {
  const float last = static_cast<float>(size - 1);
  const int last_base = size > 1 ? static_cast<int>(size) - 2 : 0;
  const float slope = size > 1 ? 1.0F : 0.0F;
  ALADDIN_IVDEP
  for (int i = 0; i < count; ++i) {
    const float x = p(i);
    float inside = x > 0.0F ? x : 0.0F;
    inside = inside < last ? inside : last;
    int base = static_cast<int>(inside);
    base = base < last_base ? base : last_base;
    const float w1 = inside - static_cast<float>(base);
    const float live = (x >= 0.0F ? slope : 0.0F) * (x <= last ? 1.0F : 0.0F);
    taps.base[i] = base;
    taps.w0[i] = 1.0F - w1;
    taps.w1[i] = w1;
    taps.d0[i] = -live;
    taps.d1[i] = live;
  }
}

template <class Position>
ALADDIN_INLINE void zero_taps(AxisTaps& taps, int count, std::int64_t size, Position&& p) {
  const float end = static_cast<float>(size);
  const int last = static_cast<int>(size) - 1;
  const int last_base = last > 0 ? last - 1 : 0;
  ALADDIN_IVDEP
  for (int i = 0; i < count; ++i) {
    const float x = p(i);
    const float valid = (x > -1.0F ? 1.0F : 0.0F) * (x < end ? 1.0F : 0.0F);
    float near = x > -1.0F ? x : -1.0F;
    near = near < end ? near : end;
    int left = static_cast<int>(near);
    left -= near < static_cast<float>(left) ? 1 : 0;  // floor
    const float share = near - static_cast<float>(left);
    // Weights and slopes of the corners at `left` and `left + 1`, zero where there is no voxel.
    const float has_left = left >= 0 && left <= last ? valid : 0.0F;
    const float has_right = left < last ? valid : 0.0F;
    const float a0 = has_left * (1.0F - share), a1 = has_right * share;
    int base = left > 0 ? left : 0;
    base = base < last_base ? base : last_base;
    const bool same = left == base, before = left < base;  // else: left is the pair's second voxel
    taps.base[i] = base;
    taps.w0[i] = same ? a0 : before ? a1 : 0.0F;
    taps.w1[i] = same ? a1 : before ? 0.0F : a0;
    taps.d0[i] = same ? -has_left : before ? has_right : 0.0F;
    taps.d1[i] = same ? has_right : before ? 0.0F : -has_left;
  }
}

}  // namespace aladdin::kernels::ALADDIN_SIMD
