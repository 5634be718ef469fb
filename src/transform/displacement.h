// Displacement: point -> point + u(point), u in LPS mm, sampled on a grid of the space that the
// point lives in and interpolated linearly. Outside that grid (more than half a voxel beyond its
// outermost voxels) it is the identity: exactly ITK's DisplacementFieldTransform, so a file means
// one thing.
#pragma once

#include "aladdin/image/image.h"

namespace aladdin {

// What a displacement is beyond its grid; files mean the first.
enum class Beyond {
  identity,
  edge  // u goes on as at the outermost voxel, as the exponential of a velocity has it
};

struct Displacement {
  VectorImage vectors;
  Beyond beyond = Beyond::identity;

  Displacement() = default;
  explicit Displacement(const Grid& grid) : vectors(grid) {}
  explicit Displacement(VectorImage field) : vectors(std::move(field)) {}

  const Grid& grid() const { return vectors.grid; }
};

// The inverse of a displacement, left unsampled: point y -> the point x with x + u(x) = y, solved
// for every point it is asked for (inverse_solver.h). Nothing is lost to a second interpolation.
struct InverseDisplacement {
  Displacement forward;
};

// The same vectors along the grid's own axes in voxels, as the kernels want them, and back.
VectorImage mm_to_voxels(const VectorImage& mm);
VectorImage voxels_to_mm(const VectorImage& voxels);

struct DisplacementLength {
  double mean_mm = 0, max_mm = 0;
};
DisplacementLength length_of(const Displacement& displacement);

}  // namespace aladdin
