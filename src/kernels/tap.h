// One axis of linear interpolation: value = w0 f[base] + w1 f[base + 1], and its derivative with
// d0, d1. `base + 1` may be one past the end on an axis of one voxel; its weight is then zero.
#pragma once

#include <algorithm>
#include <cmath>

#include "aladdin/kernels/field.h"

namespace aladdin::kernels {

template <class T>
struct Tap {
  std::int64_t base = 0;
  T w0 = 1, w1 = 0, d0 = 0, d1 = 0;
};

template <class T>
Tap<T> tap_clamp(T x, std::int64_t size) {
  Tap<T> tap;
  if (size == 1) return tap;
  const T last = static_cast<T>(size - 1);
  const T inside = std::clamp(x, T{0}, last);
  tap.base = std::min(static_cast<std::int64_t>(inside), size - 2);
  tap.w1 = inside - static_cast<T>(tap.base);
  tap.w0 = 1 - tap.w1;
  if (x >= 0 && x <= last) {
    tap.d0 = -1;
    tap.d1 = 1;
  }
  return tap;
}

template <class T>
Tap<T> tap_zero(T x, std::int64_t size) {
  Tap<T> tap;
  tap.w0 = 0;
  if (!(x > -1) || !(x < static_cast<T>(size))) return tap;  // wholly outside: all weights zero
  const T floor = std::floor(x);
  const T share = x - floor;
  const auto left = static_cast<std::int64_t>(floor);
  if (left < 0) {  // only the first voxel
    tap.w0 = share;
    tap.d0 = 1;
  } else if (left == size - 1) {  // only the last voxel, as w1 of the pair before it
    if (size == 1) {
      tap.w0 = 1 - share;
      tap.d0 = -1;
    } else {
      tap.base = size - 2;
      tap.w1 = 1 - share;
      tap.d1 = -1;
    }
  } else {
    tap.base = left;
    tap.w0 = 1 - share;
    tap.w1 = share;
    tap.d0 = -1;
    tap.d1 = 1;
  }
  return tap;
}

template <class T>
Tap<T> make_tap(T x, std::int64_t size, Border border) {
  return border == Border::clamp ? tap_clamp(x, size) : tap_zero(x, size);
}

}  // namespace aladdin::kernels
