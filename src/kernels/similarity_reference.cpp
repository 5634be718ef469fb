#include <algorithm>
#include <cmath>
#include <vector>

#include "aladdin/kernels/similarity.h"

namespace aladdin::kernels::reference {

template <class T>
double mse(const T* a, const T* b, T* grad_a, T* grad_b, const Shape& s) {
  const std::int64_t count = s.n * s.voxels();
  const double mean = 1.0 / static_cast<double>(count);
  double loss = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double difference = static_cast<double>(a[i]) - b[i];
    loss += mean * difference * difference;
    if (grad_a) grad_a[i] = static_cast<T>(2 * mean * difference);
    if (grad_b) grad_b[i] = static_cast<T>(-2 * mean * difference);
  }
  return loss;
}

template <class T>
double ncc(const T* a, const T* b, T* grad_a, T* grad_b, const Shape& s) {
  const std::int64_t voxels = s.voxels();
  const double share = 1.0 / static_cast<double>(voxels);
  double loss = 0;
  for (std::int64_t n = 0; n < s.n; ++n) {
    const T* p = a + n * voxels;
    const T* q = b + n * voxels;
    double mean_a = 0, mean_b = 0, aa = kNccEpsilon, bb = kNccEpsilon, ab = 0;
    for (std::int64_t i = 0; i < voxels; ++i) {
      mean_a += share * p[i];
      mean_b += share * q[i];
    }
    for (std::int64_t i = 0; i < voxels; ++i) {
      aa += share * (p[i] - mean_a) * (p[i] - mean_a);
      bb += share * (q[i] - mean_b) * (q[i] - mean_b);
      ab += share * (p[i] - mean_a) * (q[i] - mean_b);
    }
    const double scale = 1 / std::sqrt(aa * bb), correlation = ab * scale;
    loss += (1 - correlation) / static_cast<double>(s.n);
    for (std::int64_t i = 0; i < voxels; ++i) {
      const double factor = -share / static_cast<double>(s.n);
      const double da = p[i] - mean_a, db = q[i] - mean_b;
      if (grad_a)
        grad_a[n * voxels + i] = static_cast<T>(factor * (scale * db - correlation / aa * da));
      if (grad_b)
        grad_b[n * voxels + i] = static_cast<T>(factor * (scale * da - correlation / bb * db));
    }
  }
  return loss;
}

namespace {

// Calls use(offset of y) for every voxel y in the window around (x, y, z).
template <class Use>
void for_each_in_window(const Shape& s, std::int64_t x, std::int64_t y, std::int64_t z, int window,
                        Use&& use) {
  const std::int64_t r = window / 2;
  for (std::int64_t k = std::max<std::int64_t>(z - r, 0); k <= std::min(z + r, s.d - 1); ++k)
    for (std::int64_t j = std::max<std::int64_t>(y - r, 0); j <= std::min(y + r, s.h - 1); ++j)
      for (std::int64_t i = std::max<std::int64_t>(x - r, 0); i <= std::min(x + r, s.w - 1); ++i)
        use(i + s.w * (j + s.h * k));
}

}  // namespace

template <class T>
double lncc(const T* a, const T* b, T* grad_a, T* grad_b, const Shape& s, int window) {
  const std::int64_t count = s.n * s.voxels();
  if (grad_a) std::fill_n(grad_a, count, T{0});
  if (grad_b) std::fill_n(grad_b, count, T{0});
  double loss = 1;
  for (std::int64_t n = 0; n < s.n; ++n)
    for (std::int64_t z = 0; z < s.d; ++z)
      for (std::int64_t y = 0; y < s.h; ++y)
        for (std::int64_t x = 0; x < s.w; ++x) {
          const T* p = a + n * s.voxels();
          const T* q = b + n * s.voxels();
          double number = 0, mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
          for_each_in_window(s, x, y, z, window, [&](auto v) {
            number += 1;
            mean_a += p[v];
            mean_b += q[v];
          });
          mean_a /= number;
          mean_b /= number;
          for_each_in_window(s, x, y, z, window, [&](auto v) {
            aa += (p[v] - mean_a) * (p[v] - mean_a) / number;
            bb += (q[v] - mean_b) * (q[v] - mean_b) / number;
            ab += (p[v] - mean_a) * (q[v] - mean_b) / number;
          });
          const double by_a = 1 / (aa + kLnccEpsilon), by_b = 1 / (bb + kLnccEpsilon),
                       shared = ab + kLnccEpsilon, local = shared * shared * by_a * by_b;
          loss -= local / static_cast<double>(count);
          if (!grad_a && !grad_b) continue;
          // d local = by_ab d(ab) + by_aa d(aa) + by_bb d(bb)
          const double by_ab = 2 * shared * by_a * by_b, by_aa = -local * by_a,
                       by_bb = -local * by_b;
          const double factor = -1.0 / (static_cast<double>(count) * number);
          for_each_in_window(s, x, y, z, window, [&](auto v) {
            const double da = p[v] - mean_a, db = q[v] - mean_b;
            if (grad_a)
              grad_a[n * s.voxels() + v] += static_cast<T>(factor * (by_ab * db + 2 * by_aa * da));
            if (grad_b)
              grad_b[n * s.voxels() + v] += static_cast<T>(factor * (by_ab * da + 2 * by_bb * db));
          });
        }
  return loss;
}

#define INSTANTIATE(T)                                           \
  template double mse(const T*, const T*, T*, T*, const Shape&); \
  template double ncc(const T*, const T*, T*, T*, const Shape&); \
  template double lncc(const T*, const T*, T*, T*, const Shape&, int);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

}  // namespace aladdin::kernels::reference
