// The inverse of a displacement in voxels, (n, dims, …), by transform/inverse_solver.h; no gradient.
// Where the field folds it has no inverse, and the nearest root is taken.
#pragma once

#include <ATen/ATen.h>

namespace aladdin {

at::Tensor inverse_field(const at::Tensor& displacement);

}  // namespace aladdin
