#include "aladdin/transform/displacement.h"

#include <cmath>
#include <vector>

#include "aladdin/core/parallel.h"
#include "aladdin/transform/sample.h"

namespace aladdin {
namespace {

constexpr std::int64_t kGrain = 1 << 15;

VectorImage rotated(const VectorImage& from, const Mat3& matrix) {
  VectorImage to(from.grid);
  const int dims = from.grid.dims;
  const Affine linear{matrix, {0, 0, 0}, dims};
  parallel_ranges(from.grid.voxels(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      Vec3 vector{0, 0, 0};
      for (int c = 0; c < dims; ++c) vector[c] = from.component(c)[v];
      vector = linear(vector);
      for (int c = 0; c < dims; ++c) to.component(c)[v] = static_cast<float>(vector[c]);
    }
  });
  return to;
}

}  // namespace

VectorImage mm_to_voxels(const VectorImage& mm) { return rotated(mm, mm.grid.point_to_index()); }
VectorImage voxels_to_mm(const VectorImage& voxels) {
  return rotated(voxels, voxels.grid.index_to_point());
}

DisplacementLength length_of(const Displacement& displacement) {
  const auto& field = displacement.vectors;
  DisplacementLength length;
  double sum = 0;
  for (std::int64_t v = 0; v < field.grid.voxels(); ++v) {
    double square = 0;
    for (int c = 0; c < field.grid.dims; ++c)
      square += static_cast<double>(field.component(c)[v]) * field.component(c)[v];
    const double mm = std::sqrt(square);
    sum += mm;
    length.max_mm = std::max(length.max_mm, mm);
  }
  length.mean_mm = sum / static_cast<double>(field.grid.voxels());
  return length;
}

}  // namespace aladdin
