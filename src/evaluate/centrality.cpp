#include "aladdin/evaluate/centrality.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/linear.h"
#include "aladdin/core/parallel.h"

namespace aladdin::evaluate {

Centrality::Centrality(const kernels::Shape& shape, const std::array<double, 3>& spacing_mm)
    : shape_(shape),
      spacing_mm_(spacing_mm),
      sum_(static_cast<std::size_t>(shape.dims * shape.voxels())) {}

void Centrality::add(const float* field_vox) {
  parallel_ranges(static_cast<std::int64_t>(sum_.size()), 65536,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t i = begin; i < end; ++i) sum_[i] += field_vox[i];
                  });
  ++subjects_;
}

void Centrality::require_subjects() const {
  if (subjects_ == 0) fail("the centrality of an atlas needs at least one subject");
}

CentralitySummary Centrality::summary() const {
  require_subjects();
  CentralitySummary s;
  s.subjects = subjects_;
  const std::int64_t voxels = shape_.voxels();
  const double one = 1.0 / static_cast<double>(subjects_), each = 1.0 / static_cast<double>(voxels);
  const Mat3 to_mm = diagonal(spacing_mm_);
  Vec3 shift{0, 0, 0};
  for (std::int64_t v = 0; v < voxels; ++v) {
    Vec3 m{0, 0, 0};
    for (int c = 0; c < shape_.dims; ++c) m[c] = one * sum_[c * voxels + v];
    const double vox = norm(m), mm = norm(to_mm * m);
    s.mean_vox += each * vox;
    s.mean_mm += each * mm;
    s.max_vox = std::max(s.max_vox, vox);
    s.max_mm = std::max(s.max_mm, mm);
    shift = shift + each * m;
  }
  s.shift_vox = norm(shift);
  s.shift_mm = norm(to_mm * shift);
  return s;
}

void Centrality::mean_field(float* out_vox) const {
  require_subjects();
  for (std::size_t i = 0; i < sum_.size(); ++i)
    out_vox[i] = static_cast<float>(sum_[i] / static_cast<double>(subjects_));
}

void Centrality::norms(float* out_mm) const {
  require_subjects();
  const std::int64_t voxels = shape_.voxels();
  for (std::int64_t v = 0; v < voxels; ++v) {
    Vec3 m{0, 0, 0};
    for (int c = 0; c < shape_.dims; ++c) m[c] = spacing_mm_[c] * sum_[c * voxels + v];
    out_mm[v] = static_cast<float>(norm(m) / static_cast<double>(subjects_));
  }
}

}  // namespace aladdin::evaluate
