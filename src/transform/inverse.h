// The inverse of a displacement field as a field of its own, by two methods. What inverse means,
// also beyond the border: inverse_solver.h.
#pragma once

#include "aladdin/kernels/field.h"
#include "aladdin/transform/displacement.h"

namespace aladdin {

enum class InverseMethod {
  // The default: InverseSolver, started from the neighbour's answer. |Phi o phi - Id| < 1e-5 voxels
  // at every voxel.
  fixed_point,
  // The above, refined by the paper's objective (symmetric_inverse.h): trades some of that
  // exactness for a smaller error of phi o Phi, which is then interpolation's alone. Some 30 times
  // slower.
  symmetric
};

struct Inverse {
  Displacement displacement;  // phi, on the target grid
  // |Phi(phi(y)) - y| over the target voxels y whose phi(y) lies inside the field.
  double mean_residual_mm = 0, max_residual_mm = 0;
  double covered = 0;  // fraction of such voxels
  // How many of these are off by more than 0.01 voxels of the field (symmetric: 0.5, as it trades).
  std::int64_t unsolved = 0;
};

// The same without measuring it, nor a warning: by fixed_point.
Displacement solve_inverse(const Displacement& displacement, const Grid& target);

// The same of a displacement in voxels, planar, on its own grid. Where it folds the nearest root is taken.
std::vector<float> solve_inverse(const std::vector<float>& displacement_vox,
                                 const kernels::Shape& grid);

// Warns when voxels stay unsolved: the field folds there and has no inverse.
Inverse invert(const Displacement& displacement, const Grid& target,
               InverseMethod method = InverseMethod::fixed_point);

}  // namespace aladdin
