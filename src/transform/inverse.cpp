#include "aladdin/transform/inverse.h"

#include <algorithm>
#include <vector>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parallel.h"
#include "aladdin/transform/inverse_solver.h"
#include "aladdin/transform/sample.h"
#include "aladdin/transform/symmetric_inverse.h"

namespace aladdin {
namespace {

struct GridWalk {
  const Grid& target;
  Affine to_field;  // target indices to indices of the field's grid

  GridWalk(const Grid& grid, const Grid& field)
      : target(grid), to_field(compose(to_indices(field), to_points(grid))) {}
  Vec3 index(std::int64_t v) const {
    const auto& size = target.size;
    return {static_cast<double>(v % size[0]), static_cast<double>(v / size[0] % size[1]),
            static_cast<double>(v / (size[0] * size[1]))};
  }
  Vec3 in_field(std::int64_t v) const { return to_field(index(v)); }
};

// Each row starts anew, so the rows may be solved in any order and on any thread.
void solve_rows(const InverseSolver& solver, const GridWalk& walk,
                std::vector<InverseSolver::Root>& roots) {
  const auto& size = walk.target.size;
  parallel_for(size[1] * size[2], [&](std::int64_t row) {
    for (std::int64_t i = 0; i < size[0]; ++i) {
      const std::int64_t v = i + size[0] * row;
      const Vec3 y = walk.in_field(v);
      if (i > 0 && roots[v - 1].solved) {
        const Vec3 moved = roots[v - 1].index - walk.in_field(v - 1) + y;
        roots[v] = solver.solve(y, moved);
        if (roots[v].solved) continue;
      }
      roots[v] = solver.solve(y);
    }
  });
}

// Voxels left over try the answers of their solved neighbours, in sweeps, until nothing changes.
void repair(const InverseSolver& solver, const GridWalk& walk,
            std::vector<InverseSolver::Root>& roots) {
  std::vector<std::int64_t> left;
  for (std::size_t v = 0; v < roots.size(); ++v)
    if (!roots[v].solved) left.push_back(static_cast<std::int64_t>(v));
  const auto& size = walk.target.size;
  const Size3 stride{1, size[0], size[0] * size[1]};
  constexpr int kSweeps = 4;
  for (int sweep = 0; sweep < kSweeps && !left.empty(); ++sweep) {
    std::vector<std::int64_t> still;
    for (const auto v : left) {
      const Vec3 y = walk.in_field(v);
      for (int side = 0; side < 6 && !roots[v].solved; ++side) {
        const int axis = side / 2;
        const std::int64_t place = v / stride[axis] % size[axis] + (side % 2 ? 1 : -1);
        const std::int64_t other = v + (side % 2 ? stride[axis] : -stride[axis]);
        if (place < 0 || place >= size[axis] || !roots[other].solved) continue;
        const Vec3 moved = roots[other].index - walk.in_field(other) + y;
        const auto root = solver.solve(y, moved);
        if (root.residual_vox < roots[v].residual_vox) roots[v] = root;
      }
      if (!roots[v].solved) still.push_back(v);
    }
    if (still.size() == left.size()) break;
    left = std::move(still);
  }
}

Displacement solve_grid(const InverseSolver& solver, const Grid& target) {
  const GridWalk walk(target, solver.grid());
  std::vector<InverseSolver::Root> roots(static_cast<std::size_t>(target.voxels()));
  solve_rows(solver, walk, roots);
  repair(solver, walk, roots);
  Displacement result(target);
  const Affine to_mm{solver.grid().index_to_point(), {0, 0, 0}, target.dims};
  for (std::int64_t v = 0; v < target.voxels(); ++v) {
    const Vec3 w = to_mm(roots[v].index - walk.in_field(v));
    for (int c = 0; c < target.dims; ++c) result.vectors.component(c)[v] = static_cast<float>(w[c]);
  }
  return result;
}

// The same measure for both methods, in the field's own terms.
void measure(const Displacement& phi, double bound_vox, Inverse& inverse) {
  const VectorImage forward = mm_to_voxels(phi.vectors);
  const auto& back = inverse.displacement.vectors;
  const GridWalk walk(back.grid, phi.grid());
  const Affine to_index{phi.grid().point_to_index(), {0, 0, 0}, back.grid.dims};
  const Affine to_mm{phi.grid().index_to_point(), {0, 0, 0}, back.grid.dims};
  std::int64_t covered = 0;
  double sum = 0;
  for (std::int64_t v = 0; v < back.grid.voxels(); ++v) {
    Vec3 w{0, 0, 0};
    for (int c = 0; c < back.grid.dims; ++c) w[c] = back.component(c)[v];
    const Vec3 y = walk.in_field(v), x = y + to_index(w);
    if (!inside_buffer(phi.grid().size, x)) continue;
    const Vec3 residual = x + vector_at(forward, cell_of(phi.grid().size, x)) - y;
    const double mm = norm(to_mm(residual));
    ++covered;
    sum += mm;
    inverse.max_residual_mm = std::max(inverse.max_residual_mm, mm);
    inverse.unsolved += norm(residual) > bound_vox;
  }
  inverse.covered = static_cast<double>(covered) / static_cast<double>(back.grid.voxels());
  inverse.mean_residual_mm = covered ? sum / static_cast<double>(covered) : 0;
}

}  // namespace

Displacement solve_inverse(const Displacement& displacement, const Grid& target) {
  if (displacement.grid().dims != target.dims)
    fail("a {}-D displacement cannot be inverted on a {}-D grid", displacement.grid().dims,
         target.dims);
  return solve_grid(InverseSolver(displacement), target);
}

std::vector<float> solve_inverse(const std::vector<float>& displacement_vox,
                                 const kernels::Shape& shape) {
  Grid unit;  // there mm are voxels
  unit.dims = shape.dims;
  unit.size = {shape.w, shape.h, shape.d};
  Displacement field(unit);
  field.vectors.values = displacement_vox;
  return solve_inverse(field, unit).vectors.values;
}

Inverse invert(const Displacement& displacement, const Grid& target, InverseMethod method) {
  Inverse inverse;
  inverse.displacement = solve_inverse(displacement, target);
  if (method == InverseMethod::symmetric) refine_symmetrically(displacement, inverse.displacement);
  const double bound_vox = method == InverseMethod::symmetric ? 0.5 : 0.01;
  measure(displacement, bound_vox, inverse);
  if (inverse.unsolved > 0)
    log::warn_again(
        "inverse",
        fmt::format(
            "the inverse of a displacement field is off by more than {} voxels at {} of {} voxels "
            "(mean {:.3g} mm, max {:.3g} mm): does the field fold?",
            bound_vox, inverse.unsolved, target.voxels(), inverse.mean_residual_mm,
            inverse.max_residual_mm));
  return inverse;
}

}  // namespace aladdin
