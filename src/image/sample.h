// Linear sampling at a continuous index, as ITK's linear interpolators do it: inside the buffer
// means within half a voxel of its outermost voxels, and there the outermost voxel's value goes on.
// Inline: these are the innermost loops of everything that resamples.
#pragma once

#include <algorithm>
#include <cstdint>

#include "aladdin/image/image.h"

namespace aladdin {

// [-0.5, size - 0.5) along every axis; false for NaN.
inline bool inside_buffer(const Size3& size, const Vec3& index) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(index[axis] >= -0.5 && index[axis] < static_cast<double>(size[axis]) - 0.5)) return false;
  return true;
}

// The voxels around a continuous index: the value is linear in t between `at` and `at + step`.
// Where the index is beyond the outermost voxel along an axis, that axis has step 0.
struct Cell {
  std::int64_t at;
  Size3 step;
  Vec3 t;
};

inline Cell cell_of(const Size3& size, const Vec3& index) {
  Cell cell{0, {0, 0, 0}, {0, 0, 0}};
  std::int64_t stride = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t last = size[axis] - 1;
    if (!(index[axis] > 0)) {
      // the first voxel
    } else if (index[axis] >= static_cast<double>(last)) {
      cell.at += last * stride;
    } else {
      const auto whole = static_cast<std::int64_t>(index[axis]);
      cell.at += whole * stride;
      cell.step[axis] = stride;
      cell.t[axis] = index[axis] - static_cast<double>(whole);
    }
    stride *= size[axis];
  }
  return cell;
}

inline double mix(double a, double b, double t) { return a + t * (b - a); }

inline double linear_at(const float* values, const Cell& cell) {
  const float* v = values + cell.at;
  const auto [sx, sy, sz] = cell.step;
  const auto [tx, ty, tz] = cell.t;
  return mix(mix(mix(v[0], v[sx], tx), mix(v[sy], v[sy + sx], tx), ty),
             mix(mix(v[sz], v[sz + sx], tx), mix(v[sz + sy], v[sz + sy + sx], tx), ty), tz);
}

// The value and its derivatives along the three index axes (0 along an axis with step 0).
inline double linear_with_gradient(const float* values, const Cell& cell, Vec3& gradient) {
  const float* v = values + cell.at;
  const auto [sx, sy, sz] = cell.step;
  const auto [tx, ty, tz] = cell.t;
  const double x00 = v[sx] - v[0], x10 = v[sy + sx] - v[sy];
  const double x01 = v[sz + sx] - v[sz], x11 = v[sz + sy + sx] - v[sz + sy];
  const double v00 = v[0] + tx * x00, v10 = v[sy] + tx * x10;
  const double v01 = v[sz] + tx * x01, v11 = v[sz + sy] + tx * x11;
  const double v0 = mix(v00, v10, ty), v1 = mix(v01, v11, ty);
  gradient = {mix(mix(x00, x10, ty), mix(x01, x11, ty), tz), mix(v10 - v00, v11 - v01, tz),
              v1 - v0};
  return mix(v0, v1, tz);
}

// Calls use(offset, weight) for the voxels of a cell that weigh more than 0; the weights add up to 1.
template <class Use>
inline void for_each_corner(const Cell& cell, Use&& use) {
  const auto [sx, sy, sz] = cell.step;
  const auto [tx, ty, tz] = cell.t;
  for (int c = 0; c < 8; ++c) {
    const double weight = (c & 1 ? tx : 1 - tx) * (c & 2 ? ty : 1 - ty) * (c & 4 ? tz : 1 - tz);
    if (weight > 0) use(cell.at + (c & 1 ? sx : 0) + (c & 2 ? sy : 0) + (c & 4 ? sz : 0), weight);
  }
}

// Calls vote(label, weight), at most eight times: each label as an image of 0 and 1, interpolated linearly.
template <class Label, class Vote>
inline void for_each_vote(const Label* labels, const Cell& cell, Vote&& vote) {
  const Label* at = labels + cell.at;
  const auto [sx, sy, sz] = cell.step;
  const Label first = at[0];
  const bool alike = at[sx] == first && at[sy] == first && at[sx + sy] == first &&
                     at[sz] == first && at[sx + sz] == first && at[sy + sz] == first &&
                     at[sx + sy + sz] == first;
  if (alike) return vote(first, 1.0);
  for_each_corner(cell, [&](std::int64_t offset, double weight) { vote(labels[offset], weight); });
}

}  // namespace aladdin
