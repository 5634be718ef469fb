// Packed fields: composition and its gradient, the inner loops of the exponential.
#include "aladdin/kernels/fast/rows.h"
#include "aladdin/kernels/fast/taps.h"

namespace aladdin::kernels::ALADDIN_SIMD {
namespace {

// Taps of a block with what all its voxels need: the offset of the first corner (in floats of a
// packed field) and the products of the y and z weights.
struct BlockTaps {
  AxisTaps x, y, z;
  std::int64_t corner[kBlock];
  float w00[kBlock], w10[kBlock], w01[kBlock], w11[kBlock];  // y then z
};

// A field of which component c of voxel i is read or written: packed, or as planar channels.
template <bool Planar, class T>
struct Vectors {
  T* start;
  std::int64_t voxels;
  ALADDIN_INLINE_MEMBER T& operator()(std::int64_t i, int c) const {
    return Planar ? start[c * voxels + i] : start[3 * i + c];
  }
};

template <class Field>
ALADDIN_INLINE void block_taps(BlockTaps& taps, const Field& u, std::int64_t first, std::int64_t x,
                               std::int64_t y, std::int64_t z, int count, const Shape& s) {
  clamp_taps(taps.x, count, s.w,
             [&](int i) { return static_cast<float>(x + i) + u(first + i, 0); });
  clamp_taps(taps.y, count, s.h, [&](int i) { return static_cast<float>(y) + u(first + i, 1); });
  if (s.dims == 3) {
    clamp_taps(taps.z, count, s.d, [&](int i) { return static_cast<float>(z) + u(first + i, 2); });
  } else {
    clamp_taps(taps.z, count, 1, [](int) { return 0.0F; });
  }
  ALADDIN_IVDEP
  for (int i = 0; i < count; ++i) {
    taps.corner[i] = 3 * (taps.x.base[i] +
                          s.w * (taps.y.base[i] + s.h * static_cast<std::int64_t>(taps.z.base[i])));
    taps.w00[i] = taps.y.w0[i] * taps.z.w0[i];
    taps.w10[i] = taps.y.w1[i] * taps.z.w0[i];
    taps.w01[i] = taps.y.w0[i] * taps.z.w1[i];
    taps.w11[i] = taps.y.w1[i] * taps.z.w1[i];
  }
}

// Steps to the next row and plane of a packed field; zero where there is none (its weight is zero).
struct Steps {
  std::int64_t y, z;
  explicit Steps(const Shape& s) : y(s.h > 1 ? 3 * s.w : 0), z(s.d > 1 ? 3 * s.w * s.h : 0) {}
};

template <class Body>
ALADDIN_INLINE void for_each_block(const Shape& s, std::int64_t begin, std::int64_t end,
                                   Body&& body) {
  for (std::int64_t row = begin; row < end; ++row)
    for (std::int64_t x = 0; x < s.w; x += kBlock) {
      const int count = static_cast<int>(s.w - x < kBlock ? s.w - x : kBlock);
      body(x, row % s.h, row / s.h, count, row * s.w + x);
    }
}

ALADDIN_INLINE Float8 pair_weights(float w0, float w1) {
  return Float8{w0, w0, w0, w1, w1, w1, 0, 0};
}

}  // namespace

void pack(const float* planar, std::int64_t voxels, int dims, float scale, float* packed,
          std::int64_t count) {
  const float* x = planar;
  const float* y = planar + voxels;
  const float* z = dims == 3 ? planar + 2 * voxels : planar;
  const float scale_z = dims == 3 ? scale : 0.0F;
  ALADDIN_IVDEP
  for (std::int64_t i = 0; i < count; ++i) {
    packed[3 * i] = scale * x[i];
    packed[3 * i + 1] = scale * y[i];
    packed[3 * i + 2] = scale_z * z[i];
  }
}

namespace {

template <bool PlanarMap, bool PlanarOut>
void compose_rows(const float* v, const float* u, float keep, float* out, const Shape& s,
                  std::int64_t begin, std::int64_t end) {
  const Vectors<PlanarMap, const float> map{u, s.voxels()};
  const Vectors<PlanarOut, float> to{out, s.voxels()};
  const Steps step(s);
  BlockTaps taps;
  float line[3 * kBlock + 4];
  for_each_block(s, begin, end, [&](auto x, auto y, auto z, int count, std::int64_t first) {
    block_taps(taps, map, first, x, y, z, count, s);
    for (int i = 0; i < count; ++i) {
      const float* corner = v + taps.corner[i];
      const Float8 sum = taps.w00[i] * load8(corner) + taps.w10[i] * load8(corner + step.y) +
                         taps.w01[i] * load8(corner + step.z) +
                         taps.w11[i] * load8(corner + step.y + step.z);
      store4(line + 3 * i, fold3(sum * pair_weights(taps.x.w0[i], taps.x.w1[i])));
    }
    const int components = PlanarMap || PlanarOut ? s.dims : 3;
    for (int c = 0; c < components; ++c) {
      ALADDIN_IVDEP
      for (int i = 0; i < count; ++i) to(first + i, c) = keep * map(first + i, c) + line[3 * i + c];
    }
  });
}

template <bool Planar>
void compose_backward_rows(const float* v, const float* u, float keep, const float* g,
                           float* grad_u, float* splat, std::int64_t splat_row, const Shape& s,
                           std::int64_t begin, std::int64_t end) {
  const Vectors<Planar, const float> map{u, s.voxels()}, here{g, s.voxels()};
  const Vectors<Planar, float> to_map{grad_u, s.voxels()};
  const Steps step(s);
  float* const target = splat - 3 * s.w * splat_row;
  BlockTaps taps;
  float line[3 * kBlock + 4];
  const bool flat = Planar && s.dims == 2;
  for_each_block(s, begin, end, [&](auto x, auto y, auto z, int count, std::int64_t first) {
    block_taps(taps, map, first, x, y, z, count, s);
    for (int i = 0; i < count; ++i) {
      const float* corner = v + taps.corner[i];
      const Float8 p00 = load8(corner), p10 = load8(corner + step.y), p01 = load8(corner + step.z),
                   p11 = load8(corner + step.y + step.z);
      const float g0 = here(first + i, 0), g1 = here(first + i, 1),
                  g2 = flat ? 0.0F : here(first + i, 2);
      const Float8 across{-g0, -g1, -g2, g0, g1, g2, 0, 0};
      const Float8 weighted =
          Float8{g0, g1, g2, g0, g1, g2, 0, 0} * pair_weights(taps.x.w0[i], taps.x.w1[i]);
      const Float8 by_x =
          taps.w00[i] * p00 + taps.w10[i] * p10 + taps.w01[i] * p01 + taps.w11[i] * p11;
      const Float8 by_y = taps.z.w0[i] * (p10 - p00) + taps.z.w1[i] * (p11 - p01);
      const Float8 by_z = taps.y.w0[i] * (p01 - p00) + taps.y.w1[i] * (p11 - p10);
      store4(line + 3 * i, sums_of(by_x * across, by_y * weighted, by_z * weighted));
      float* to = target + taps.corner[i];
      add8(to, taps.w00[i] * weighted);
      add8(to + step.y, taps.w10[i] * weighted);
      add8(to + step.z, taps.w01[i] * weighted);
      add8(to + step.y + step.z, taps.w11[i] * weighted);
    }
    if (!grad_u) return;
    const AxisTaps* const axes[3] = {&taps.x, &taps.y, &taps.z};
    for (int c = 0; c < (flat ? 2 : 3); ++c) {
      const float* live = axes[c]->d1;
      ALADDIN_IVDEP
      for (int i = 0; i < count; ++i)
        to_map(first + i, c) = keep * here(first + i, c) + live[i] * line[3 * i + c];
    }
  });
}

}  // namespace

void compose(const float* v, const float* u, bool planar_map, float keep, float* out,
             bool planar_out, const Shape& s, std::int64_t begin, std::int64_t end) {
  if (planar_map) return compose_rows<true, true>(v, u, keep, out, s, begin, end);
  if (planar_out) return compose_rows<false, true>(v, u, keep, out, s, begin, end);
  compose_rows<false, false>(v, u, keep, out, s, begin, end);
}

void compose_backward(const float* v, const float* u, bool planar, float keep, const float* g,
                      float* grad_u, float* splat, std::int64_t splat_row, const Shape& s,
                      std::int64_t begin, std::int64_t end) {
  const auto rows = planar ? compose_backward_rows<true> : compose_backward_rows<false>;
  rows(v, u, keep, g, grad_u, splat, splat_row, s, begin, end);
}

void reach(const float* u, const Shape& s, std::int64_t begin, std::int64_t end,
           std::int64_t* lowest, std::int64_t* highest) {
  // Bounded along the slowest axis only: planes in 3-D, rows in 2-D.
  const int component = s.d > 1 ? 2 : 1;
  reach_along(s, begin, end, lowest, highest,
              [&](std::int64_t voxel) { return u[3 * voxel + component]; });
}

}  // namespace aladdin::kernels::ALADDIN_SIMD
