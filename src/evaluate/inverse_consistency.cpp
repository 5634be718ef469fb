#include "aladdin/evaluate/inverse_consistency.h"

#include <algorithm>
#include <vector>

#include "aladdin/evaluate/voxel_walk.h"
#include "aladdin/transform/point_map.h"
#include "aladdin/transform/sample.h"

namespace aladdin::evaluate {
namespace {

// round_trip(v, x, back) is false where x leaves; `back` is a continuous index.
template <class RoundTrip>
InverseConsistency measure(const kernels::Shape& shape, const Mat3& to_mm,
                           const RoundTrip& round_trip) {
  std::vector<InverseConsistency> rows(static_cast<std::size_t>(shape.h * shape.d));
  for_each_row(shape, [&](std::int64_t begin, Vec3 x) {
    InverseConsistency& row = rows[begin / shape.w];
    for (std::int64_t v = begin; v < begin + shape.w; ++v, ++x[0]) {
      Vec3 back;
      if (!round_trip(v, x, back)) continue;
      const double vox = norm(back - x), mm = norm(to_mm * (back - x));
      row.mean_vox += vox;
      row.mean_mm += mm;
      row.max_vox = std::max(row.max_vox, vox);
      row.max_mm = std::max(row.max_mm, mm);
      ++row.voxels;
    }
  });
  InverseConsistency all;
  for (const auto& row : rows) {
    all.mean_vox += row.mean_vox;
    all.mean_mm += row.mean_mm;
    all.max_vox = std::max(all.max_vox, row.max_vox);
    all.max_mm = std::max(all.max_mm, row.max_mm);
    all.voxels += row.voxels;
  }
  if (all.voxels == 0) return all;
  all.mean_vox /= static_cast<double>(all.voxels);
  all.mean_mm /= static_cast<double>(all.voxels);
  return all;
}

bool between_voxels(const Vec3& index, const Size3& size) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(index[axis] >= 0 && index[axis] <= static_cast<double>(size[axis] - 1))) return false;
  return true;
}

}  // namespace

InverseConsistency inverse_consistency(const float* u_to_subject, const float* u_to_atlas,
                                       const kernels::Shape& shape,
                                       const std::array<double, 3>& spacing_mm) {
  const Size3 size = size_of(shape);
  return measure(shape, diagonal(spacing_mm), [&](std::int64_t v, const Vec3& x, Vec3& back) {
    back = moved(x, u_to_subject, v, shape);
    if (!between_voxels(back, size)) return false;
    const Cell cell = cell_of(size, back);
    for (int c = 0; c < shape.dims; ++c)
      back[c] += linear_at(u_to_atlas + c * shape.voxels(), cell);
    return true;
  });
}

InverseConsistency inverse_consistency(const Chain& native_to_atlas, const Chain& atlas_to_native,
                                       const Grid& atlas) {
  require_dims(native_to_atlas, atlas.dims);
  require_dims(atlas_to_native, atlas.dims);
  const PointMap there(atlas, native_to_atlas), back_again(atlas_to_native);
  const Affine to_index = to_indices(atlas);
  const auto result = measure(shape_of(atlas), atlas.index_to_point(),
                              [&](std::int64_t, const Vec3& x, Vec3& back) {
                                bool outside = false;
                                back = to_index(back_again(there(x, &outside), &outside));
                                return !outside;
                              });
  there.report();
  back_again.report();
  return result;
}

}  // namespace aladdin::evaluate
