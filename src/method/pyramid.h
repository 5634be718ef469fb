// Grids coarsened by powers of two. Voxel i of the grid r lies at voxel r i of the full grid, so that
// voxels of a coarse grid are voxels of every finer one, as with the network's strided convolutions.
#pragma once

#include <ATen/ATen.h>

namespace aladdin {

// Images on the grid r: by two at a time, [1 2 1]/4 along each axis (clamped), every second voxel.
at::Tensor reduce(const at::Tensor& image, int r);

// A displacement or velocity in voxels on the next finer grid, in that grid's voxels: linear, the
// last voxel repeated beyond the end. `sizes` are those of the finer grid's tensors. Differentiable.
at::Tensor refine(const at::Tensor& field, at::IntArrayRef sizes);

// The same as often as it takes from the grid `from` to the grid `to`; full: sizes on the full grid.
at::Tensor refine(const at::Tensor& field, int from, int to, at::IntArrayRef full);

}  // namespace aladdin
