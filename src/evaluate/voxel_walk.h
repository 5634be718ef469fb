// All voxels of a working grid, rows in parallel; a voxel writes only its own output.
#pragma once

#include "aladdin/core/parallel.h"
#include "aladdin/image/shape.h"

namespace aladdin::evaluate {

inline Size3 size_of(const kernels::Shape& shape) { return {shape.w, shape.h, shape.d}; }

// body(offset, index) for the first voxel of each row; a row has shape.w voxels.
template <class Body>
void for_each_row(const kernels::Shape& shape, Body&& body) {
  constexpr std::int64_t kRows = 8;
  parallel_ranges(shape.h * shape.d, kRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      body(row * shape.w,
           Vec3{0, static_cast<double>(row % shape.h), static_cast<double>(row / shape.h)});
  });
}

// body(offset, index) for each voxel.
template <class Body>
void for_each_voxel(const kernels::Shape& shape, Body&& body) {
  for_each_row(shape, [&](std::int64_t begin, Vec3 x) {
    for (std::int64_t v = begin; v < begin + shape.w; ++v, ++x[0]) body(v, x);
  });
}

// x + u(x) at voxel `v`, whose index is x; u planar, in voxels.
inline Vec3 moved(Vec3 x, const float* u, std::int64_t v, const kernels::Shape& shape) {
  for (int c = 0; c < shape.dims; ++c) x[c] += u[c * shape.voxels() + v];
  return x;
}

}  // namespace aladdin::evaluate
