#include "aladdin/transform/export.h"

namespace aladdin {
namespace {

void go_on_at_the_edge(Chain& chain) {
  for (auto& transform : chain)
    if (auto* field = std::get_if<Displacement>(&transform)) field->beyond = Beyond::edge;
}

}  // namespace

ExportedFields export_fields(Chain to_subject, Chain to_atlas, const Vec3& shift, const Grid& atlas,
                             const Grid& native) {
  go_on_at_the_edge(to_subject);
  go_on_at_the_edge(to_atlas);
  to_subject.emplace_back(translation(shift, atlas.dims));
  to_atlas.emplace(to_atlas.begin(), translation(-1.0 * shift, native.dims));
  return {to_displacement(to_subject, atlas), to_displacement(to_atlas, native)};
}

}  // namespace aladdin
