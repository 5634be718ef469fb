// How a displacement stretches space: the determinant of the Jacobian of x -> x + u(x), by central
// differences on its own grid (kernels/jacobian.h). A voxel with a determinant below 0 is a fold, as
// in the paper and in evaluate/folds.h.
#pragma once

#include "aladdin/transform/displacement.h"

namespace aladdin {

Image jacobian_determinant(const Displacement& displacement);

struct JacobianSummary {
  double min = 1, max = 1, mean = 1;
  std::int64_t folds = 0;
  double log_sd = 0;  // standard deviation of the logarithm, over voxels with a determinant above 0
};
JacobianSummary summarise_jacobian(const Displacement& displacement);

}  // namespace aladdin
