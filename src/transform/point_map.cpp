#include "aladdin/transform/point_map.h"

#include "aladdin/core/log.h"
#include "aladdin/transform/sample.h"

namespace aladdin {
namespace {

bool identical(const Grid& a, const Grid& b) {
  return a.dims == b.dims && a.size == b.size && a.spacing == b.spacing && a.origin == b.origin &&
         a.direction == b.direction;
}

const Displacement& field_of(const Transform& transform) {
  if (const auto* inverted = std::get_if<InverseDisplacement>(&transform)) return inverted->forward;
  return std::get<Displacement>(transform);
}

}  // namespace

PointMap::PointMap(const Chain& chain) { build(chain, Affine{}, nullptr, Affine{}); }

PointMap::PointMap(const Grid& from, const Chain& chain) {
  build(chain, to_points(from), &from, Affine{});
}

PointMap::PointMap(const Grid& from, const Chain& chain, const Grid& to) {
  build(chain, to_points(from), &from, to_indices(to));
}

void PointMap::build(const Chain& chain, Affine first, const Grid* from, const Affine& last) {
  Affine pending = first;
  for (std::size_t t = 0; t < chain.size(); ++t) {
    if (const auto* affine = std::get_if<Affine>(&chain[t])) {
      pending = compose(*affine, pending);
      continue;
    }
    const Displacement& field = field_of(chain[t]);
    Step step;
    step.enter = pending;
    step.locate = compose(to_indices(field.grid()), pending);
    // A field on the very grid that is resampled to is read at whole voxels, free of rounding.
    if (t == 0 && from && identical(*from, field.grid())) step.locate = Affine{};
    if (std::holds_alternative<InverseDisplacement>(chain[t])) {
      step.inverse = std::make_unique<const InverseSolver>(field);
      pending = to_points(field.grid());  // the solver answers in indices
    } else {
      step.field = &field;
      pending = Affine{};
    }
    steps_.push_back(std::move(step));
  }
  leave_ = compose(last, pending);
}

Vec3 PointMap::operator()(const Vec3& start, bool* outside) const {
  Vec3 x = start;
  for (const auto& step : steps_) {
    const Vec3 index = step.locate(x);
    if (step.inverse) {
      const auto root = step.inverse->solve(index);
      if (!root.solved) unsolved_.fetch_add(1, std::memory_order_relaxed);
      x = root.index;
      if (outside && !inside_buffer(step.inverse->grid().size, x)) *outside = true;
      continue;
    }
    x = step.enter(x);
    const Grid& grid = step.field->grid();
    if (step.field->beyond == Beyond::identity && !inside_buffer(grid.size, index)) {
      if (outside) *outside = true;
      continue;
    }
    x = x + vector_at(step.field->vectors, cell_of(grid.size, index));
  }
  return leave_(x);
}

void PointMap::report() const {
  if (unsolved_ > 0)
    log::warn_again("unsolved",
                    fmt::format("the inverse of a displacement field was not found for {} "
                                "points; the field folds there",
                                unsolved_.load()));
}

}  // namespace aladdin
