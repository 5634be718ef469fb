// Finite differences row by row: bending energy and Jacobian determinant with their gradients. A
// row adds its gradient into itself and its neighbours; the caller keeps slabs that run at once
// apart.
#include "aladdin/kernels/fast/rows.h"

namespace aladdin::kernels::ALADDIN_SIMD {
namespace {

// Rows of the outer lines [begin, end): planes in 3-D, rows in 2-D.
template <class Body>
ALADDIN_INLINE void for_each_row(const Shape& s, std::int64_t begin, std::int64_t end,
                                 Body&& body) {
  for (std::int64_t line = begin; line < end; ++line) {
    if (s.d > 1) {
      for (std::int64_t y = 0; y < s.h; ++y) body(y, line);
    } else {
      body(line, std::int64_t{0});
    }
  }
}

// Rows of w values with zeros around them, so that x - 1 and x + 1 may be read at the ends.
struct Rows {
  float* start;
  std::int64_t stride;
  Rows(float* scratch, const Shape& s, int count) : start(scratch + 4), stride(s.w + 8) {
    for (std::int64_t i = 0; i < count * stride; ++i) scratch[i] = 0.0F;
  }
  float* operator[](int i) const { return start + i * stride; }
};

}  // namespace

// factors: weight of (D_xx)^2, yy, zz, xy, xz, yz.
double bending(const float* u, float* grad_u, const double* factors, const Shape& s,
               std::int64_t begin, std::int64_t end, float* scratch) {
  const bool active_y = s.h >= 3, active_z = s.d >= 3;
  const std::int64_t py = active_y ? s.w : 0, pz = active_z ? s.w * s.h : 0;
  float f[6];
  for (int i = 0; i < 6; ++i) f[i] = static_cast<float>(factors[i]);
  const Rows g(scratch, s, 6);
  float *const gxx = g[0], *const gyy = g[1], *const gzz = g[2], *const gxy = g[3],
               *const gxz = g[4], *const gyz = g[5];
  double energy = 0;
  for_each_row(s, begin, end, [&](std::int64_t y, std::int64_t z) {
    if ((active_y && (y == 0 || y == s.h - 1)) || (active_z && (z == 0 || z == s.d - 1))) return;
    const std::int64_t first = (z * s.h + y) * s.w;
    const float* c = u + first;
    constexpr int kLanes = 16;
    float lanes[kLanes] = {};
    for (std::int64_t start = 1; start < s.w - 1; start += kLanes) {
      const int count = static_cast<int>(s.w - 1 - start < kLanes ? s.w - 1 - start : kLanes);
      ALADDIN_IVDEP
      for (int l = 0; l < count; ++l) {
        const std::int64_t x = start + l;
        const float centre = 2.0F * c[x];
        const float dxx = c[x + 1] - centre + c[x - 1];
        const float dyy = c[x + py] - centre + c[x - py];
        const float dzz = c[x + pz] - centre + c[x - pz];
        const float dxy = 0.25F * (c[x + 1 + py] - c[x + 1 - py] - c[x - 1 + py] + c[x - 1 - py]);
        const float dxz = 0.25F * (c[x + 1 + pz] - c[x + 1 - pz] - c[x - 1 + pz] + c[x - 1 - pz]);
        const float dyz =
            0.25F * (c[x + py + pz] - c[x + py - pz] - c[x - py + pz] + c[x - py - pz]);
        lanes[l] += f[0] * dxx * dxx + f[1] * dyy * dyy + f[2] * dzz * dzz + f[3] * dxy * dxy +
                    f[4] * dxz * dxz + f[5] * dyz * dyz;
        gxx[x] = 2.0F * f[0] * dxx;
        gyy[x] = 2.0F * f[1] * dyy;
        gzz[x] = 2.0F * f[2] * dzz;
        gxy[x] = 0.5F * f[3] * dxy;
        gxz[x] = 0.5F * f[4] * dxz;
        gyz[x] = 0.5F * f[5] * dyz;
      }
    }
    for (const float lane : lanes) energy += static_cast<double>(lane);
    if (!grad_u) return;
    float* out = grad_u + first;
    ALADDIN_IVDEP
    for (std::int64_t x = 0; x < s.w; ++x)
      out[x] += gxx[x - 1] + gxx[x + 1] - 2.0F * (gxx[x] + gyy[x] + gzz[x]);
    if (active_y) {
      ALADDIN_IVDEP
      for (std::int64_t x = 0; x < s.w; ++x) {
        out[x + py] += gyy[x] + (gxy[x - 1] - gxy[x + 1]);
        out[x - py] += gyy[x] - (gxy[x - 1] - gxy[x + 1]);
      }
    }
    if (active_z) {
      ALADDIN_IVDEP
      for (std::int64_t x = 0; x < s.w; ++x) {
        out[x + pz] += gzz[x] + (gxz[x - 1] - gxz[x + 1]);
        out[x - pz] += gzz[x] - (gxz[x - 1] - gxz[x + 1]);
      }
    }
    if (active_y && active_z) {
      ALADDIN_IVDEP
      for (std::int64_t x = 0; x < s.w; ++x) {
        out[x + py + pz] += gyz[x];
        out[x + py - pz] -= gyz[x];
        out[x - py + pz] -= gyz[x];
        out[x - py - pz] += gyz[x];
      }
    }
  });
  return energy;
}

namespace {

// A difference along y or z: offsets of its two rows and its factor (zero on an axis of one voxel).
struct Difference {
  std::int64_t low, high;
  float factor;
};

ALADDIN_INLINE Difference difference(std::int64_t i, std::int64_t size, std::int64_t stride) {
  const std::int64_t low = i > 0 ? 1 : 0, high = i < size - 1 ? 1 : 0;
  return {-low * stride, high * stride, low + high ? 1.0F / static_cast<float>(low + high) : 0.0F};
}

// Rows 3 * component + axis of du/dx at one row of voxels.
ALADDIN_INLINE void derivatives(const float* u, const Shape& s, std::int64_t y, std::int64_t z,
                                const Rows& j) {
  const Difference dy = difference(y, s.h, s.w), dz = difference(z, s.d, s.w * s.h);
  for (int component = 0; component < s.dims; ++component) {
    const float* c = u + component * s.voxels() + (z * s.h + y) * s.w;
    float *jx = j[3 * component], *jy = j[3 * component + 1], *jz = j[3 * component + 2];
    ALADDIN_IVDEP
    for (std::int64_t x = 1; x < s.w - 1; ++x) jx[x] = 0.5F * (c[x + 1] - c[x - 1]);
    jx[0] = c[1] - c[0];
    jx[s.w - 1] = c[s.w - 1] - c[s.w - 2];
    ALADDIN_IVDEP
    for (std::int64_t x = 0; x < s.w; ++x) jy[x] = dy.factor * (c[x + dy.high] - c[x + dy.low]);
    if (s.dims == 3) ALADDIN_IVDEP
    for (std::int64_t x = 0; x < s.w; ++x) jz[x] = dz.factor * (c[x + dz.high] - c[x + dz.low]);
  }
}

}  // namespace

void jacobian(const float* u, float* det, const Shape& s, std::int64_t begin, std::int64_t end,
              float* scratch) {
  const Rows j(scratch, s, 9);
  for_each_row(s, begin, end, [&](std::int64_t y, std::int64_t z) {
    derivatives(u, s, y, z, j);
    float* out = det + (z * s.h + y) * s.w;
    ALADDIN_IVDEP
    for (std::int64_t x = 0; x < s.w; ++x) {
      const float a = 1.0F + j[0][x], b = j[1][x], c = j[2][x], d = j[3][x], e = 1.0F + j[4][x],
                  f = j[5][x], g = j[6][x], h = j[7][x], i = 1.0F + j[8][x];
      out[x] = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
    }
  });
}

void jacobian_backward(const float* u, const float* grad_det, float* grad_u, const Shape& s,
                       std::int64_t begin, std::int64_t end, float* scratch) {
  const Rows j(scratch, s, 9);
  for_each_row(s, begin, end, [&](std::int64_t y, std::int64_t z) {
    derivatives(u, s, y, z, j);
    const std::int64_t first = (z * s.h + y) * s.w;
    const float* weight = grad_det + first;
    ALADDIN_IVDEP
    for (std::int64_t x = 0; x < s.w; ++x) {
      const float a = 1.0F + j[0][x], b = j[1][x], c = j[2][x], d = j[3][x], e = 1.0F + j[4][x],
                  f = j[5][x], g = j[6][x], h = j[7][x], i = 1.0F + j[8][x], w = weight[x];
      j[0][x] = w * (e * i - f * h);
      j[1][x] = w * (f * g - d * i);
      j[2][x] = w * (d * h - e * g);
      j[3][x] = w * (c * h - b * i);
      j[4][x] = w * (a * i - c * g);
      j[5][x] = w * (b * g - a * h);
      j[6][x] = w * (b * f - c * e);
      j[7][x] = w * (c * d - a * f);
      j[8][x] = s.dims == 3 ? w * (a * e - b * d) : 0.0F;
    }
    const Difference dy = difference(y, s.h, s.w), dz = difference(z, s.d, s.w * s.h);
    for (int component = 0; component < s.dims; ++component) {
      float *px = j[3 * component], *py = j[3 * component + 1], *pz = j[3 * component + 2];
      float* out = grad_u + component * s.voxels() + first;
      ALADDIN_IVDEP
      for (std::int64_t x = 1; x < s.w - 1; ++x) px[x] *= 0.5F;
      ALADDIN_IVDEP
      for (std::int64_t x = 1; x < s.w - 1; ++x) out[x] += px[x - 1] - px[x + 1];
      out[0] -= px[0] + px[1];
      out[s.w - 1] += px[s.w - 2] + px[s.w - 1];
      ALADDIN_IVDEP
      for (std::int64_t x = 0; x < s.w; ++x) {
        const float p = dy.factor * py[x];
        out[x + dy.high] += p;
        out[x + dy.low] -= p;
      }
      if (s.dims == 3) ALADDIN_IVDEP
      for (std::int64_t x = 0; x < s.w; ++x) {
        const float p = dz.factor * pz[x];
        out[x + dz.high] += p;
        out[x + dz.low] -= p;
      }
    }
  });
}

}  // namespace aladdin::kernels::ALADDIN_SIMD
