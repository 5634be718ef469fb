// The inverse of a displacement field as a field of its own, by two methods. What inverse means,
// also beyond the border: inverse_solver.h.
#pragma once

#include "aladdin/transform/displacement.h"

namespace aladdin {

enum class InverseMethod {
  // InverseSolver, started from the neighbour's answer. Exact to 1e-5 voxels at every voxel.
  fixed_point,
  // The paper's objective (Appx. "Inverse deformation map calculation"), by Adam with hand-written
  // gradients: |Phi o phi - Id|^2 + |phi o Phi - Id|^2, each summed over its own grid times its
  // voxel
  // volume. Slower, and less exact at the voxels; balanced between the two directions.
  symmetric
};

struct Inverse {
  Displacement displacement;  // phi, on the target grid
  // |Phi(phi(y)) - y| over the target voxels y whose phi(y) lies inside the field.
  double mean_residual_mm = 0, max_residual_mm = 0;
  double covered = 0;         // fraction of such voxels
  std::int64_t unsolved = 0;  // of these, voxels off by more than 0.05 voxels of the field
};

// Warns when voxels stay unsolved: the field folds there and has no inverse.
Inverse invert(const Displacement& displacement, const Grid& target,
               InverseMethod method = InverseMethod::fixed_point);

}  // namespace aladdin
