// Planar channels: pull-back and its gradients.
#include "aladdin/kernels/fast/rows.h"
#include "aladdin/kernels/fast/taps.h"

namespace aladdin::kernels::ALADDIN_SIMD {
namespace {

struct BlockTaps {
  AxisTaps x, y, z;
  std::int64_t corner[kBlock];
};

void axis_taps(AxisTaps& taps, int count, std::int64_t size, Border border, const float* u,
               float start, float step) {
  const auto position = [=](int i) { return start + step * static_cast<float>(i) + u[i]; };
  if (border == Border::clamp) {
    clamp_taps(taps, count, size, position);
  } else {
    zero_taps(taps, count, size, position);
  }
}

void block_taps(BlockTaps& taps, const float* u, std::int64_t x, std::int64_t y, std::int64_t z,
                int count, Border border, const Shape& s) {
  const std::int64_t voxels = s.voxels();
  axis_taps(taps.x, count, s.w, border, u, static_cast<float>(x), 1.0F);
  axis_taps(taps.y, count, s.h, border, u + voxels, static_cast<float>(y), 0.0F);
  if (s.dims == 3)
    axis_taps(taps.z, count, s.d, border, u + 2 * voxels, static_cast<float>(z), 0.0F);
  for (int i = 0; i < count; ++i) {
    const std::int64_t plane = s.dims == 3 ? taps.z.base[i] : 0;
    taps.corner[i] = taps.x.base[i] + s.w * (taps.y.base[i] + s.h * plane);
  }
}

void flat_z(AxisTaps& taps) {
  for (int i = 0; i < kBlock; ++i) {
    taps.base[i] = 0;
    taps.w0[i] = 1.0F;
    taps.w1[i] = taps.d0[i] = taps.d1[i] = 0.0F;
  }
}

struct Steps {
  std::int64_t y, z;
  explicit Steps(const Shape& s) : y(s.h > 1 ? s.w : 0), z(s.d > 1 ? s.w * s.h : 0) {}
};

// (first, second) of the pair in row (y, z), then of the pair one row further.
ALADDIN_INLINE Float4 two_pairs(const float* corner, std::int64_t step_y) {
  const LooseFloat2 near = *reinterpret_cast<const LooseFloat2*>(corner);
  const LooseFloat2 far = *reinterpret_cast<const LooseFloat2*>(corner + step_y);
  return __builtin_shufflevector(near, far, 0, 1, 2, 3);
}

}  // namespace

void warp(const float* in, const float* u, float* out, int channels, Border border, const Shape& s,
          std::int64_t begin, std::int64_t end) {
  const Steps step(s);
  BlockTaps taps;
  flat_z(taps.z);
  for (std::int64_t row = begin; row < end; ++row)
    for (std::int64_t x = 0; x < s.w; x += kBlock) {
      const int count = static_cast<int>(s.w - x < kBlock ? s.w - x : kBlock);
      const std::int64_t first = row * s.w + x;
      block_taps(taps, u + first, x, row % s.h, row / s.h, count, border, s);
      for (int c = 0; c < channels; ++c) {
        const float* from = in + c * s.voxels();
        float* to = out + c * s.voxels() + first;
        for (int i = 0; i < count; ++i) {
          const float* corner = from + taps.corner[i];
          const Float4 both = taps.z.w0[i] * two_pairs(corner, step.y) +
                              taps.z.w1[i] * two_pairs(corner + step.z, step.y);
          const float w0 = taps.x.w0[i], w1 = taps.x.w1[i];
          to[i] = taps.y.w0[i] * (w0 * both[0] + w1 * both[1]) +
                  taps.y.w1[i] * (w0 * both[2] + w1 * both[3]);
        }
      }
    }
}

void warp_backward(const float* in, const float* u, const float* g, float* grad_u, float* splat,
                   std::int64_t splat_row, std::int64_t splat_rows, int channels, Border border,
                   const Shape& s, std::int64_t begin, std::int64_t end) {
  const Steps step(s);
  BlockTaps taps;
  flat_z(taps.z);
  float slope[3][kBlock];
  for (std::int64_t row = begin; row < end; ++row)
    for (std::int64_t x = 0; x < s.w; x += kBlock) {
      const int count = static_cast<int>(s.w - x < kBlock ? s.w - x : kBlock);
      const std::int64_t first = row * s.w + x;
      block_taps(taps, u + first, x, row % s.h, row / s.h, count, border, s);
      for (int axis = 0; axis < 3; ++axis) ALADDIN_IVDEP
      for (int i = 0; i < count; ++i) slope[axis][i] = 0.0F;
      for (int c = 0; c < channels; ++c) {
        const float* from = in + c * s.voxels();
        const float* here = g + c * s.voxels() + first;
        for (int i = 0; i < count && grad_u; ++i) {
          const float* corner = from + taps.corner[i];
          const Float4 near = two_pairs(corner, step.y), far = two_pairs(corner + step.z, step.y);
          const Float4 mid = taps.z.w0[i] * near + taps.z.w1[i] * far;
          const Float4 deep = taps.z.d0[i] * near + taps.z.d1[i] * far;
          const float wx0 = taps.x.w0[i], wx1 = taps.x.w1[i], wy0 = taps.y.w0[i],
                      wy1 = taps.y.w1[i];
          slope[0][i] += here[i] * (wy0 * (taps.x.d0[i] * mid[0] + taps.x.d1[i] * mid[1]) +
                                    wy1 * (taps.x.d0[i] * mid[2] + taps.x.d1[i] * mid[3]));
          slope[1][i] += here[i] * (taps.y.d0[i] * (wx0 * mid[0] + wx1 * mid[1]) +
                                    taps.y.d1[i] * (wx0 * mid[2] + wx1 * mid[3]));
          slope[2][i] += here[i] * (wy0 * (wx0 * deep[0] + wx1 * deep[1]) +
                                    wy1 * (wx0 * deep[2] + wx1 * deep[3]));
        }
        if (!splat) continue;
        float* target = splat + (c * splat_rows - splat_row) * s.w;
        for (int i = 0; i < count; ++i) {
          float* to = target + taps.corner[i];
          const LooseFloat2 pair{here[i] * taps.x.w0[i], here[i] * taps.x.w1[i]};
          const float wy0 = taps.y.w0[i], wy1 = taps.y.w1[i], wz0 = taps.z.w0[i],
                      wz1 = taps.z.w1[i];
          *reinterpret_cast<LooseFloat2*>(to) += (wy0 * wz0) * pair;
          *reinterpret_cast<LooseFloat2*>(to + step.y) += (wy1 * wz0) * pair;
          *reinterpret_cast<LooseFloat2*>(to + step.z) += (wy0 * wz1) * pair;
          *reinterpret_cast<LooseFloat2*>(to + step.y + step.z) += (wy1 * wz1) * pair;
        }
      }
      for (int axis = 0; axis < s.dims && grad_u; ++axis) ALADDIN_IVDEP
      for (int i = 0; i < count; ++i) grad_u[axis * s.voxels() + first + i] = slope[axis][i];
    }
}

void reach_planar(const float* u, const Shape& s, std::int64_t begin, std::int64_t end,
                  std::int64_t* lowest, std::int64_t* highest) {
  const float* along = u + (s.d > 1 ? 2 : 1) * s.voxels();
  reach_along(s, begin, end, lowest, highest, [&](std::int64_t voxel) { return along[voxel]; });
}

}  // namespace aladdin::kernels::ALADDIN_SIMD
