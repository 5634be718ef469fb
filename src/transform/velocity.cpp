#include "aladdin/transform/velocity.h"

#include "aladdin/core/error.h"

namespace aladdin {

Displacement exponential(const Velocity& velocity, Direction direction, int squarings,
                         kernels::Border border) {
  constexpr int kMost = 30;
  if (squarings < 0 || squarings > kMost)
    fail("{} squarings are not between 0 and {}", squarings, kMost);
  const Grid& grid = velocity.grid();
  const VectorImage v = mm_to_voxels(velocity.vectors);
  VectorImage u(grid);
  kernels::exponential(v.values.data(), u.values.data(),
                       {1, grid.size[2], grid.size[1], grid.size[0], grid.dims}, squarings,
                       direction == Direction::forward ? 1.0F : -1.0F, border);
  return Displacement(voxels_to_mm(u));
}

}  // namespace aladdin
