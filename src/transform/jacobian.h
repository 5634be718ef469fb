// How a displacement stretches space: the determinant of the Jacobian of x -> x + u(x), by central
// differences on its own grid (kernels/jacobian.h). A voxel with a determinant of 0 or less is a
// fold.
#pragma once

#include "aladdin/transform/displacement.h"

namespace aladdin {

Image jacobian_determinant(const Displacement& displacement);

struct JacobianSummary {
  double min = 1, max = 1, mean = 1;
  std::int64_t folds = 0;
  double log_sd = 0;  // standard deviation of the logarithm, over voxels without a fold
};
JacobianSummary summarise_jacobian(const Displacement& displacement);

}  // namespace aladdin
