#include <vector>

#include "aladdin/kernels/tap.h"
#include "aladdin/kernels/warp.h"

namespace aladdin::kernels::reference {
namespace {

// The eight corners around a displaced voxel: offset, weight, and weight derivatives along x, y, z.
template <class T>
struct Corners {
  std::int64_t offset[8];
  T weight[8];
  T slope[3][8];
};

template <class T>
Corners<T> corners_at(const T* u, std::int64_t x, std::int64_t y, std::int64_t z, const Shape& s,
                      Border border) {
  const std::int64_t v = x + s.w * (y + s.h * z);
  const Tap<T> tx = make_tap(static_cast<T>(x) + u[v], s.w, border);
  const Tap<T> ty = make_tap(static_cast<T>(y) + u[s.voxels() + v], s.h, border);
  const Tap<T> tz =
      s.dims == 2 ? Tap<T>{} : make_tap(static_cast<T>(z) + u[2 * s.voxels() + v], s.d, border);
  Corners<T> corners;
  for (int c = 0; c < 8; ++c) {
    const bool right = c & 1, low = c & 2, deep = c & 4;
    const std::int64_t cx = std::min(tx.base + right, s.w - 1);
    const std::int64_t cy = std::min(ty.base + low, s.h - 1);
    const std::int64_t cz = std::min(tz.base + deep, s.d - 1);
    const T wx = right ? tx.w1 : tx.w0, wy = low ? ty.w1 : ty.w0, wz = deep ? tz.w1 : tz.w0;
    corners.offset[c] = cx + s.w * (cy + s.h * cz);
    corners.weight[c] = wx * wy * wz;
    corners.slope[0][c] = (right ? tx.d1 : tx.d0) * wy * wz;
    corners.slope[1][c] = (low ? ty.d1 : ty.d0) * wx * wz;
    corners.slope[2][c] = (deep ? tz.d1 : tz.d0) * wx * wy;
  }
  return corners;
}

template <class Body>
void for_each_voxel(const Shape& s, Body&& body) {
  for (std::int64_t n = 0; n < s.n; ++n)
    for (std::int64_t z = 0; z < s.d; ++z)
      for (std::int64_t y = 0; y < s.h; ++y)
        for (std::int64_t x = 0; x < s.w; ++x) body(n, x, y, z, x + s.w * (y + s.h * z));
}

}  // namespace

template <class T>
void warp(const T* in, const T* u, T* out, const Shape& s, int channels, Border border) {
  const std::int64_t voxels = s.voxels();
  for_each_voxel(s, [&](auto n, auto x, auto y, auto z, auto v) {
    const auto corners = corners_at(u + n * s.dims * voxels, x, y, z, s, border);
    for (int c = 0; c < channels; ++c) {
      const T* from = in + (n * channels + c) * voxels;
      T sum = 0;
      for (int k = 0; k < 8; ++k) sum += corners.weight[k] * from[corners.offset[k]];
      out[(n * channels + c) * voxels + v] = sum;
    }
  });
}

template <class T>
void warp_backward(const T* in, const T* u, const T* grad_out, T* grad_in, T* grad_u,
                   const Shape& s, int channels, Border border) {
  const std::int64_t voxels = s.voxels();
  if (grad_in) std::fill_n(grad_in, s.n * channels * voxels, T{0});
  for_each_voxel(s, [&](auto n, auto x, auto y, auto z, auto v) {
    const auto corners = corners_at(u + n * s.dims * voxels, x, y, z, s, border);
    T slope[3] = {0, 0, 0};
    for (int c = 0; c < channels; ++c) {
      const std::int64_t plane = (n * channels + c) * voxels;
      const T g = grad_out[plane + v];
      for (int k = 0; k < 8; ++k) {
        if (grad_in) grad_in[plane + corners.offset[k]] += corners.weight[k] * g;
        for (int axis = 0; axis < s.dims; ++axis)
          slope[axis] += corners.slope[axis][k] * in[plane + corners.offset[k]] * g;
      }
    }
    if (grad_u)
      for (int axis = 0; axis < s.dims; ++axis)
        grad_u[(n * s.dims + axis) * voxels + v] = slope[axis];
  });
}

template <class T>
void compose(const T* v, const T* u, T* out, const Shape& s) {
  warp(v, u, out, s, s.dims, Border::clamp);
  for (std::int64_t i = 0; i < s.n * s.dims * s.voxels(); ++i) out[i] += u[i];
}

template <class T>
void compose_backward(const T* v, const T* u, const T* grad_out, T* grad_v, T* grad_u,
                      const Shape& s) {
  warp_backward(v, u, grad_out, grad_v, grad_u, s, s.dims, Border::clamp);
  if (grad_u)
    for (std::int64_t i = 0; i < s.n * s.dims * s.voxels(); ++i) grad_u[i] += grad_out[i];
}

#define INSTANTIATE(T)                                                                          \
  template void warp(const T*, const T*, T*, const Shape&, int, Border);                        \
  template void warp_backward(const T*, const T*, const T*, T*, T*, const Shape&, int, Border); \
  template void compose(const T*, const T*, T*, const Shape&);                                  \
  template void compose_backward(const T*, const T*, const T*, T*, T*, const Shape&);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace aladdin::kernels::reference
