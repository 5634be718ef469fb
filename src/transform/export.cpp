#include "aladdin/transform/export.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

void go_on_at_the_edge(Chain& chain) {
  for (auto& transform : chain)
    if (auto* field = std::get_if<Displacement>(&transform)) field->beyond = Beyond::edge;
}

}  // namespace

Grid registration_grid(const Grid& working, const Vec3& shift, const Grid& native) {
  Grid grid = working;
  grid.origin = working.origin + shift;
  const Affine to_index = compose(to_indices(grid), to_points(native));
  Vec3 low{0, 0, 0}, high{0, 0, 0};
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 at{0, 0, 0};
    for (int axis = 0; axis < native.dims; ++axis)
      at[axis] = corner >> axis & 1 ? static_cast<double>(native.size[axis]) - 0.5 : -0.5;
    const Vec3 index = to_index(at);
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = corner == 0 ? index[axis] : std::min(low[axis], index[axis]);
      high[axis] = corner == 0 ? index[axis] : std::max(high[axis], index[axis]);
    }
  }
  constexpr double kRounding = 1e-6;  // of a voxel
  Vec3 first{0, 0, 0};
  for (int axis = 0; axis < native.dims; ++axis) {
    first[axis] = std::floor(low[axis] + kRounding);
    grid.size[axis] =
        static_cast<std::int64_t>(std::ceil(high[axis] - kRounding) - first[axis]) + 1;
  }
  grid.origin = grid.to_point(first);
  return grid.voxels() < native.voxels() || is_sheared(native) ? grid : native;
}

FieldGrid parse_field_grid(const std::string& name) {
  if (name == "registration") return FieldGrid::registration;
  if (name == "native") return FieldGrid::native;
  throw Error(fmt::format("'{}' is not a grid for fields, expected registration or native", name),
              ExitCode::usage)
      .hint(did_you_mean(name, {"registration", "native"}));
}

Grid choose_field_grid(FieldGrid which, const Grid& working, const Vec3& shift,
                       const Grid& native) {
  return which == FieldGrid::native ? native : registration_grid(working, shift, native);
}

ExportedFields export_fields(Chain to_subject, Chain to_atlas, const Vec3& shift, const Grid& atlas,
                             const Grid& native) {
  go_on_at_the_edge(to_subject);
  go_on_at_the_edge(to_atlas);
  to_subject.emplace_back(translation(shift, atlas.dims));
  to_atlas.emplace(to_atlas.begin(), translation(-1.0 * shift, native.dims));
  return {to_displacement(to_subject, atlas), to_displacement(to_atlas, native)};
}

}  // namespace aladdin
