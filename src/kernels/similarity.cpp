#include "aladdin/kernels/similarity.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/fast/table.h"
#include "aladdin/kernels/slabs.h"

namespace aladdin::kernels {
namespace {

constexpr std::int64_t kRange = 65536;  // voxels a task
constexpr std::int64_t kPlanes = 16;    // planes a task of the local correlation

// Sums `Quantities` values over ranges of one item, range by range in order.
template <int Quantities, class Body>
std::array<double, Quantities> sum_ranges(std::int64_t voxels, Body&& body) {
  std::vector<std::array<double, Quantities>> parts((voxels + kRange - 1) / kRange);
  parallel_ranges(voxels, kRange, [&](std::int64_t begin, std::int64_t end) {
    auto& part = parts[begin / kRange];
    part.fill(0);
    body(begin, end, part.data());
  });
  std::array<double, Quantities> total{};
  for (const auto& part : parts)
    for (int q = 0; q < Quantities; ++q) total[q] += part[q];
  return total;
}

struct Means {
  float a, b;
};

Means means_of(const float* a, const float* b, std::int64_t voxels) {
  const auto total = sum_ranges<2>(voxels, [&](auto begin, auto end, double* part) {
    fast().sums(a + begin, b + begin, end - begin, part);
  });
  return {static_cast<float>(total[0] / static_cast<double>(voxels)),
          static_cast<float>(total[1] / static_cast<double>(voxels))};
}

}  // namespace

double mse(const float* a, const float* b, float* grad_a, float* grad_b, const Shape& s) {
  const std::int64_t count = s.n * s.voxels();
  const float factor = static_cast<float>(2.0 / static_cast<double>(count));
  const auto total = sum_ranges<1>(count, [&](auto begin, auto end, double* part) {
    part[0] = fast().squared_difference(a + begin, b + begin, grad_a ? grad_a + begin : nullptr,
                                        grad_b ? grad_b + begin : nullptr, factor, end - begin);
  });
  return total[0] / static_cast<double>(count);
}

double ncc(const float* a, const float* b, float* grad_a, float* grad_b, const Shape& s) {
  const std::int64_t voxels = s.voxels();
  const double share = 1.0 / static_cast<double>(voxels);
  double loss = 0;
  for (std::int64_t n = 0; n < s.n; ++n) {
    const float *p = a + n * voxels, *q = b + n * voxels;
    const Means mean = means_of(p, q, voxels);
    const auto total = sum_ranges<3>(voxels, [&](auto begin, auto end, double* part) {
      fast().moments(p + begin, q + begin, mean.a, mean.b, end - begin, part);
    });
    const double aa = share * total[0] + kNccEpsilon, bb = share * total[1] + kNccEpsilon;
    const double scale = 1 / std::sqrt(aa * bb), correlation = share * total[2] * scale;
    loss += (1 - correlation) / static_cast<double>(s.n);
    const double factor = -share / static_cast<double>(s.n);
    const auto across = static_cast<float>(factor * scale);
    parallel_ranges(voxels, kRange, [&](std::int64_t begin, std::int64_t end) {
      const auto gradient = [&](float* out, double own, const float* x, const float* y, float mx,
                                float my) {
        if (out)
          fast().combine(x + begin, y + begin, static_cast<float>(-factor * correlation / own),
                         across, mx, my, out + n * voxels + begin, end - begin);
      };
      gradient(grad_a, aa, p, q, mean.a, mean.b);
      gradient(grad_b, bb, q, p, mean.b, mean.a);
    });
  }
  return loss;
}

double lncc(const float* a, const float* b, float* grad_a, float* grad_b, const Shape& s,
            int window) {
  if (!grad_a && grad_b) return lncc(b, a, grad_b, nullptr, s, window);
  const std::int64_t voxels = s.voxels();
  const bool both = grad_a && grad_b;
  const Slabs slabs(s.d, 1, kPlanes);
  std::vector<Means> means(s.n);
  for (std::int64_t n = 0; n < s.n; ++n)
    means[n] = means_of(a + n * voxels, b + n * voxels, voxels);

  const std::int64_t item_maps = (both ? kLnccMapsBoth : kLnccMaps) * voxels;
  const Buffer maps = grad_a ? make_buffer(s.n * item_maps) : nullptr;
  std::vector<double> parts(s.n * slabs.count());
  const auto for_each_slab = [&](auto&& body) {
    parallel_for(s.n * slabs.count(), [&](std::int64_t task) {
      const Buffer scratch = make_buffer(lncc_scratch(s));
      body(task / slabs.count(), task % slabs.count(), scratch.get());
    });
  };
  for_each_slab([&](std::int64_t n, std::int64_t slab, float* scratch) {
    parts[n * slabs.count() + slab] =
        fast().lncc(a + n * voxels, b + n * voxels, means[n].a, means[n].b, window,
                    maps ? maps.get() + n * item_maps : nullptr, both, scratch, s,
                    slabs.begin(slab), slabs.end(slab));
  });
  const double count = static_cast<double>(s.n * voxels);
  if (maps)
    for_each_slab([&](std::int64_t n, std::int64_t slab, float* scratch) {
      fast().lncc_gradient(a + n * voxels, b + n * voxels, means[n].a, means[n].b, window,
                           maps.get() + n * item_maps, static_cast<float>(-1.0 / count),
                           grad_a + n * voxels, both ? grad_b + n * voxels : nullptr, scratch, s,
                           slabs.begin(slab), slabs.end(slab));
    });
  return 1 - std::accumulate(parts.begin(), parts.end(), 0.0) / count;
}

}  // namespace aladdin::kernels
