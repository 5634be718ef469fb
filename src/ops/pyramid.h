// Between a grid and that of every second voxel (kernels/pyramid.h), on a CPU in float.
#pragma once

#include "aladdin/ops/tensor.h"

namespace aladdin::ops {

// Images onto the coarser grid. Not differentiable.
at::Tensor reduce(const at::Tensor& image);
// A displacement in voxels onto the finer grid, whose tensors have `sizes`. Differentiable.
at::Tensor refine(const at::Tensor& field, at::IntArrayRef sizes);

}  // namespace aladdin::ops
