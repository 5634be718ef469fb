// kernels/bending.h as a differentiable Torch operator, once.
#pragma once

#include "aladdin/ops/tensor.h"

namespace aladdin::ops {

// A scalar: the bending energy of id + u; u: (n, dims, …) in voxels, spacing in mm along x, y, z.
at::Tensor bending_energy(const at::Tensor& u, const std::array<double, 3>& spacing_mm = {1, 1, 1});

}  // namespace aladdin::ops
