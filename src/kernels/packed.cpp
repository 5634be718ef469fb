#include "aladdin/kernels/packed.h"

#include <algorithm>

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/fast/table.h"
#include "aladdin/kernels/slabs.h"

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
      for (std::int64_t i = begin; i < end; ++i)
        planar[c * s.voxels() + i] = scale * packed[3 * i + c];
  });
}

namespace {

void run_compose(const float* v, const float* u, bool planar_map, float keep, float* out,
                 bool planar_out, const Shape& s) {
  const Slabs slabs(s.h * s.d, s.w, kPullVoxels);
  parallel_for(slabs.count(), [&](std::int64_t slab) {
    fast().compose(v, u, planar_map, keep, out, planar_out, s, slabs.begin(slab), slabs.end(slab));
  });
}

// The gradient through the map into grad_u; the one through the field is left in the result.
SplatBuffers run_backward(const float* v, const float* u, bool planar, float keep, const float* g,
                          float* grad_u, const Shape& s) {
  const Slabs slabs = Slabs::for_splats(s);
  SplatBuffers splats(slabs.count(), 3 * s.w, 1);
  parallel_for(slabs.count(), [&](std::int64_t slab) {
    const std::int64_t begin = slabs.begin(slab), end = slabs.end(slab);
    std::int64_t lowest, highest;
    (planar ? fast().reach_planar : fast().reach)(u, s, begin, end, &lowest, &highest);
    float* splat = splats.open(slab, lowest, highest);
    fast().compose_backward(v, u, planar, keep, g, grad_u, splat, lowest, s, begin, end);
  });
  return splats;
}

template <class Body>
void for_each_rows(const Shape& s, Body&& body) {
  parallel_ranges(s.h * s.d, std::max<std::int64_t>(1, kPullVoxels / s.w), body);
}

}  // namespace

void square(const float* u, float* out, bool planar_out, const Shape& s) {
  run_compose(u, u, false, 1.0F, out, planar_out, s);
}

void square_backward(const float* u, const float* g, float* grad_u, const Shape& s) {
  const SplatBuffers splats = run_backward(u, u, false, 1.0F, g, grad_u, s);
  for_each_rows(
      s, [&](std::int64_t begin, std::int64_t end) { splats.add_to(grad_u, 0, begin, end); });
}

void compose(const float* v, const float* u, float keep, float* out, const Shape& s) {
  run_compose(v, u, true, keep, out, true, s);
}

void compose_backward(const float* v, const float* u, float keep, const float* g, float* grad_v,
                      float* grad_u, const Shape& s) {
  const SplatBuffers splats = run_backward(v, u, true, keep, g, grad_u, s);
  if (!grad_v) return;
  for_each_rows(s, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t first = begin * s.w, count = (end - begin) * s.w;
    const Buffer sum = make_buffer(3 * count);
    std::fill_n(sum.get(), 3 * count, 0.0F);
    splats.add_to(sum.get() - 3 * first, 0, begin, end);
    for (int c = 0; c < s.dims; ++c)
      for (std::int64_t i = 0; i < count; ++i) grad_v[c * s.voxels() + first + i] = sum[3 * i + c];
  });
}

}  // namespace aladdin::kernels::packed
