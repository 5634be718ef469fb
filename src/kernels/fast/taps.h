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

// The weight of a voxel is a tent around it, max(0, 1 - distance), which fades to zero beyond the border.
template <class Position>
ALADDIN_INLINE void zero_taps(AxisTaps& taps, int count, std::int64_t size, Position&& p) {
  const float last_base = static_cast<float>(size > 1 ? size - 2 : 0);
  const float pair = size > 1 ? 1.0F : 0.0F;  // is there a second voxel?
  ALADDIN_IVDEP
  for (int i = 0; i < count; ++i) {
    const float x = p(i);
    float near = x > 0.0F ? x : 0.0F;
    near = near < last_base ? near : last_base;
    const int base = static_cast<int>(near);
    const float t = x - static_cast<float>(base);  // 0 at the first voxel, 1 at the second
    const float to_first = t > 0.0F ? t : -t, to_second = t > 1.0F ? t - 1.0F : 1.0F - t;
    const float w0 = 1.0F - to_first, w1 = 1.0F - to_second;
    const float before = (t > -1.0F ? 1.0F : 0.0F) * (t < 0.0F ? 1.0F : 0.0F);
    const float between = (t >= 0.0F ? 1.0F : 0.0F) * (t < 1.0F ? 1.0F : 0.0F);
    const float after = (t >= 1.0F ? 1.0F : 0.0F) * (t < 2.0F ? 1.0F : 0.0F);
    taps.base[i] = base;
    taps.w0[i] = w0 > 0.0F ? w0 : 0.0F;
    taps.w1[i] = w1 > 0.0F ? pair * w1 : 0.0F;
    taps.d0[i] = before - between;
    taps.d1[i] = pair * (between - after);
  }
}

}  // namespace aladdin::kernels::ALADDIN_SIMD
