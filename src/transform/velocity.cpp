#include "aladdin/transform/velocity.h"

#include "aladdin/core/error.h"
#include "aladdin/image/shape.h"
#include "aladdin/kernels/pyramid.h"

namespace aladdin {

Velocity refined(const Velocity& velocity, const Grid& fine) {
  if (velocity.grid().size == fine.size) return velocity;
  const kernels::Shape shape = shape_of(fine);
  const kernels::Shape half = kernels::half(shape);
  if (velocity.grid().size != Size3{half.w, half.h, half.d})
    fail("a velocity on {} voxels cannot be refined onto {}", format_size(velocity.grid()),
         format_size(fine));
  const VectorImage coarse = mm_to_voxels(velocity.vectors);
  VectorImage out(fine);
  kernels::refine(coarse.values.data(), out.values.data(), shape);
  return Velocity(voxels_to_mm(out));
}

Displacement exponential(const Velocity& velocity, Direction direction, int squarings,
                         kernels::Border border) {
  constexpr int kMost = 30;
  if (squarings < 0 || squarings > kMost)
    fail("{} squarings are not between 0 and {}", squarings, kMost);
  const Grid& grid = velocity.grid();
  const VectorImage v = mm_to_voxels(velocity.vectors);
  VectorImage u(grid);
  kernels::exponential(v.values.data(), u.values.data(), shape_of(grid), squarings,
                       direction == Direction::forward ? 1.0F : -1.0F, border);
  return Displacement(voxels_to_mm(u));
}

}  // namespace aladdin
