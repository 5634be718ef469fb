#include "aladdin/kernels/warp.h"

#include <algorithm>

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/fast/table.h"
#include "aladdin/kernels/packed.h"
#include "aladdin/kernels/slabs.h"

namespace aladdin::kernels {
namespace {

// keep u + v(x + u) for vector fields v: packed first, which pays even for one interpolation.
void pull_vectors(const float* v, const float* u, float keep, float* out, const Shape& s) {
  for (std::int64_t n = 0; n < s.n; ++n) {
    const std::int64_t item = n * s.dims * s.voxels();
    packed::compose(packed::pack(v + item, s).get(), u + item, keep, out + item, s);
  }
}

void pull_vectors_backward(const float* v, const float* u, float keep, const float* grad_out,
                           float* grad_v, float* grad_u, const Shape& s) {
  for (std::int64_t n = 0; n < s.n; ++n) {
    const std::int64_t item = n * s.dims * s.voxels();
    packed::compose_backward(packed::pack(v + item, s).get(), u + item, keep, grad_out + item,
                             grad_v ? grad_v + item : nullptr, grad_u ? grad_u + item : nullptr, s);
  }
}

bool is_vector_field(const Shape& s, int channels, Border border) {
  return s.dims == 3 && channels == 3 && border == Border::clamp;
}

}  // namespace

void warp(const float* in, const float* u, float* out, const Shape& s, int channels,
          Border border) {
  // Pairs of voxels along x are loaded at once; a volume one voxel wide has none.
  if (s.w < 2) return reference::warp(in, u, out, s, channels, border);
  if (is_vector_field(s, channels, border)) return pull_vectors(in, u, 0.0F, out, s);
  const Slabs slabs(s.h * s.d, s.w, kPullVoxels);
  parallel_for(s.n * slabs.count(), [&](std::int64_t task) {
    const std::int64_t n = task / slabs.count(), slab = task % slabs.count();
    fast().warp(in + n * channels * s.voxels(), u + n * s.dims * s.voxels(),
                out + n * channels * s.voxels(), channels, border, s, slabs.begin(slab),
                slabs.end(slab));
  });
}

void warp_backward(const float* in, const float* u, const float* grad_out, float* grad_in,
                   float* grad_u, const Shape& s, int channels, Border border) {
  if (s.w < 2)
    return reference::warp_backward(in, u, grad_out, grad_in, grad_u, s, channels, border);
  if (is_vector_field(s, channels, border))
    return pull_vectors_backward(in, u, 0.0F, grad_out, grad_in, grad_u, s);
  const std::int64_t voxels = s.voxels(), rows = s.h * s.d;
  const Slabs slabs = Slabs::for_splats(s);
  for (std::int64_t n = 0; n < s.n; ++n) {
    const float* map = u + n * s.dims * voxels;
    SplatBuffers splats(slabs.count(), s.w, channels);
    parallel_for(slabs.count(), [&](std::int64_t slab) {
      float* splat = nullptr;
      std::int64_t lowest = 0, highest = 0;
      if (grad_in) {
        fast().reach_planar(map, s, slabs.begin(slab), slabs.end(slab), &lowest, &highest);
        splat = splats.open(slab, lowest, highest);
      }
      fast().warp_backward(in + n * channels * voxels, map, grad_out + n * channels * voxels,
                           grad_u ? grad_u + n * s.dims * voxels : nullptr, splat, lowest,
                           splats.rows(slab), channels, border, s, slabs.begin(slab),
                           slabs.end(slab));
    });
    if (!grad_in) continue;
    const Slabs sums(rows, s.w, kPullVoxels);
    parallel_for(channels * sums.count(), [&](std::int64_t task) {
      const std::int64_t c = task / sums.count(), slab = task % sums.count();
      float* plane = grad_in + (n * channels + c) * voxels;
      std::fill(plane + sums.begin(slab) * s.w, plane + sums.end(slab) * s.w, 0.0F);
      splats.add_to(plane, c, sums.begin(slab), sums.end(slab));
    });
  }
}

void compose(const float* v, const float* u, float* out, const Shape& s) {
  if (s.w < 2) return reference::compose(v, u, out, s);
  pull_vectors(v, u, 1.0F, out, s);
}

void compose_backward(const float* v, const float* u, const float* grad_out, float* grad_v,
                      float* grad_u, const Shape& s) {
  if (s.w < 2) return reference::compose_backward(v, u, grad_out, grad_v, grad_u, s);
  pull_vectors_backward(v, u, 1.0F, grad_out, grad_v, grad_u, s);
}

}  // namespace aladdin::kernels
