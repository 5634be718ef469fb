#include "aladdin/kernels/slabs.h"

#include <algorithm>

#include "aladdin/kernels/fast/table.h"

namespace aladdin::kernels {

Slabs::Slabs(std::int64_t lines, std::int64_t voxels_per_line, std::int64_t voxels_each,
             std::int64_t fewest_lines)
    : lines_(lines) {
  const std::int64_t wanted = lines * voxels_per_line / voxels_each;
  count_ = std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(1, lines / fewest_lines));
}

Slabs Slabs::for_splats(const Shape& s) {
  constexpr std::int64_t kVoxels = 200000;  // where the margin of a slab costs little
  constexpr std::int64_t kFew = 4,
                         kPlanes = 8;  // slabs of a small volume, and the fewest planes of one
  const std::int64_t planes = s.d > 1 ? s.d : s.h;
  Slabs out(s.h * s.d, s.w, kVoxels);
  out.count_ = std::max(out.count_, std::min(kFew, planes / kPlanes));
  return out;
}

float* SplatBuffers::open(std::int64_t slab, std::int64_t lowest, std::int64_t highest) {
  Part& part = parts_[slab];
  part.first = lowest;
  part.rows = highest - lowest + 1;
  const std::int64_t floats = part.rows * row_floats_ * planes_ + kPackedTail;
  part.values = make_buffer(floats);
  std::fill_n(part.values.get(), floats, 0.0F);
  return part.values.get();
}

void SplatBuffers::add_to(float* out, std::int64_t plane, std::int64_t begin,
                          std::int64_t end) const {
  for (const Part& part : parts_) {
    const std::int64_t low = std::max(begin, part.first),
                       high = std::min(end, part.first + part.rows);
    if (low >= high) continue;
    const float* from = part.values.get() + (plane * part.rows + low - part.first) * row_floats_;
    float* to = out + low * row_floats_;
    for (std::int64_t i = 0; i < (high - low) * row_floats_; ++i) to[i] += from[i];
  }
}

}  // namespace aladdin::kernels
