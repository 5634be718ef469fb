// Velocity: a stationary velocity field, mm per unit time along LPS axes. Its flow over unit time,
// exp(v), is Φ_{0,1} of the paper and exp(-v) is Φ_{1,0}, its inverse.
#pragma once

#include "aladdin/kernels/exponential.h"
#include "aladdin/transform/displacement.h"

namespace aladdin {

struct Velocity {
  VectorImage vectors;

  Velocity() = default;
  explicit Velocity(const Grid& grid) : vectors(grid) {}
  explicit Velocity(VectorImage field) : vectors(std::move(field)) {}

  const Grid& grid() const { return vectors.grid; }
};

// The same velocity, interpolated linearly, on the grid of which its own is every second voxel
// (kernels/pyramid.h); as it is where the grids are the same. Integrated there, the flow and its
// inverse agree better: between voxels both are interpolated.
Velocity refined(const Velocity& velocity, const Grid& fine);

enum class Direction { forward, backward };  // exp(v), exp(-v)

// Scaling and squaring (kernels/exponential.h) on the velocity's own grid.
Displacement exponential(const Velocity& velocity, Direction direction,
                         int squarings = kernels::kDefaultSquarings,
                         kernels::Border border = kernels::Border::clamp);

}  // namespace aladdin
