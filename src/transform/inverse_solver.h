// The inverse of a displacement field: for y find x with Phi(x) = x + u(x) = y.
//
// Beyond the field's outermost voxels u is taken to go on unchanged (the identity that a
// Displacement is there would tear the map at the border, and a shift near the border would have no
// inverse). Residuals are therefore taken where x lies inside the field: only there is Phi known.
#pragma once

#include "aladdin/transform/displacement.h"

namespace aladdin {

// Solves point by point. Plain fixed-point iteration, x <- y - u(x), converges only while |du/dx| <
// 1, and slowly; here each step is divided by the local Jacobian, x <- x - (I + du/dx)^-1 (x + u(x)
// - y), halved until the residual falls, with the plain step where the Jacobian is near singular.
class InverseSolver {
 public:
  explicit InverseSolver(const Displacement& displacement);  // keeps a copy, in voxels

  struct Root {
    Vec3 index;           // x, a continuous index of the field's grid
    double residual_vox;  // |Phi(x) - y| in voxels of the field
    bool solved;          // residual_vox <= kTolerance_vox
  };
  static constexpr double kTolerance_vox = 1e-5;

  // y is a continuous index of the field's grid.
  Root solve(const Vec3& y) const;
  Root solve(const Vec3& y, const Vec3& start) const;

  const Grid& grid() const { return field_.grid; }

 private:
  VectorImage field_;
};

}  // namespace aladdin
