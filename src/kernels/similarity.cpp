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

constexpr std::int64_t kRange = 65536;    // voxels a task
constexpr std::int64_t kFewestLines = 8;  // of a task of the local correlation, whose margins cost

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
    const auto total = sum_ranges<5>(voxels, [&](auto begin, auto end, double* part) {
      fast().moments(p + begin, q + begin, mean.a, mean.b, end - begin, part);
    });
    // The means are rounded to float; what that leaves of them is taken out here.
    const double rest_a = share * total[3], rest_b = share * total[4];
    const double aa = std::max(0.0, share * total[0] - rest_a * rest_a) + kNccEpsilon;
    const double bb = std::max(0.0, share * total[1] - rest_b * rest_b) + kNccEpsilon;
    const double ab = share * total[2] - rest_a * rest_b;
    const double scale = 1 / std::sqrt(aa * bb), correlation = ab * scale;
    loss += (1 - correlation) / static_cast<double>(s.n);
    const double factor = -share / static_cast<double>(s.n);
    const auto gradient = [&](float* out, const float* own, const float* other, float own_mean,
                              float other_mean, double own_rest, double other_rest,
                              double variance) {
      if (!out) return;
      const double by_own = -factor * correlation / variance, by_other = factor * scale;
      parallel_ranges(voxels, kRange, [&](std::int64_t begin, std::int64_t end) {
        fast().combine(own + begin, other + begin, static_cast<float>(by_own),
                       static_cast<float>(by_other), own_mean, other_mean,
                       static_cast<float>(by_own * own_rest + by_other * other_rest),
                       out + n * voxels + begin, end - begin);
      });
    };
    gradient(grad_a, p, q, mean.a, mean.b, rest_a, rest_b, aa);
    gradient(grad_b, q, p, mean.b, mean.a, rest_b, rest_a, bb);
  }
  return loss;
}

double lncc(const float* a, const float* b, float* grad_a, float* grad_b, const Shape& shape,
            int window) {
  if (!grad_a && grad_b) return lncc(b, a, grad_b, nullptr, shape, window);
  // Tasks are planes; the rows of a picture are taken for planes one row high.
  const Shape s = shape.d > 1 ? shape : Shape{shape.n, shape.h, 1, shape.w, shape.dims};
  const std::int64_t voxels = s.voxels();
  const bool both = grad_a && grad_b;
  const Slabs slabs(s.d, s.w * s.h, kRange, std::max<std::int64_t>(kFewestLines, window));
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
