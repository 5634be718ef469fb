// Displacement: point -> point + u(point), u in LPS mm, sampled on a grid of the space that the point
// lives in and interpolated linearly. Outside that grid (more than half a voxel beyond its outermost
// voxels) it is the identity: exactly ITK's DisplacementFieldTransform, so a file means one thing.
#pragma once

#include "aladdin/image/image.h"

namespace aladdin {

struct Displacement {
  VectorImage vectors;

  Displacement() = default;
  explicit Displacement(const Grid& grid) : vectors(grid) {}
  explicit Displacement(VectorImage field) : vectors(std::move(field)) {}

  const Grid& grid() const { return vectors.grid; }
};

}  // namespace aladdin
