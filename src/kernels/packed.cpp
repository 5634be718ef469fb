#include "aladdin/kernels/packed.h"

#include <algorithm>

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/fast/table.h"

namespace aladdin::kernels::packed {

Buffer make(const Shape& s) {
  Buffer packed = make_buffer(3 * s.voxels() + kPackedTail);
  std::fill_n(packed.get() + 3 * s.voxels(), kPackedTail, 0.0F);
  return packed;
}

void pack_into(const float* planar, float* packed, const Shape& s, float scale) {
  parallel_ranges(s.voxels(), kPullVoxels, [&](std::int64_t begin, std::int64_t end) {
    fast().pack(planar + begin, s.voxels(), s.dims, scale, packed + 3 * begin, end - begin);
  });
}

Buffer pack(const float* planar, const Shape& s, float scale) {
  Buffer packed = make(s);
  pack_into(planar, packed.get(), s, scale);
  return packed;
}

void unpack(const float* packed, float* planar, const Shape& s, float scale) {
  parallel_ranges(s.voxels(), kPullVoxels, [&](std::int64_t begin, std::int64_t end) {
    for (int c = 0; c < s.dims; ++c)
      for (std::int64_t i = begin; i < end; ++i) planar[c * s.voxels() + i] = scale * packed[3 * i + c];
  });
}

void compose(const float* v, const float* u, float keep, float* out, bool planar, const Shape& s) {
  const Slabs slabs(s.h * s.d, s.w, kPullVoxels);
  parallel_for(slabs.count(), [&](std::int64_t slab) {
    fast().compose(v, u, keep, out, planar, s, slabs.begin(slab), slabs.end(slab));
  });
}

void compose_backward(const float* v, const float* u, float keep, const float* g, float* grad_u,
                      float* grad_v, const Shape& s) {
  const std::int64_t rows = s.h * s.d;
  const Slabs slabs(rows, s.w, kSplatVoxels);
  SplatBuffers splats(slabs.count(), 3 * s.w, 1);
  parallel_for(slabs.count(), [&](std::int64_t slab) {
    std::int64_t lowest, highest;
    fast().reach(u, s, slabs.begin(slab), slabs.end(slab), &lowest, &highest);
    float* splat = splats.open(slab, lowest, highest);
    fast().compose_backward(v, u, keep, g, grad_u, splat, lowest, s, slabs.begin(slab), slabs.end(slab));
  });
  float* const sum = grad_v ? grad_v : grad_u;
  parallel_ranges(rows, std::max<std::int64_t>(1, kPullVoxels / s.w), [&](std::int64_t begin, std::int64_t end) {
    if (grad_v) std::fill(sum + 3 * s.w * begin, sum + 3 * s.w * end, 0.0F);
    splats.add_to(sum, 0, begin, end);
  });
}

}  // namespace aladdin::kernels::packed
