// Between a grid and the one of every second voxel: voxel i of the coarse grid is voxel 2i of the fine
// one, and n voxels become ceil(n / 2), along every axis; one voxel stays one.
//
//   reduce   out[i] = (in[2i-1] + 2 in[2i] + in[2i+1]) / 4        images, along each axis in turn
//   refine   out[2i] = 2 in[i],   out[2i+1] = in[i] + in[i+1]     displacements and velocities: linear
//                                 along each axis, and doubled once, since the voxels are half as large
//
// Both continue the outermost voxel beyond the border.
#pragma once

#include "aladdin/kernels/field.h"

namespace aladdin::kernels {

// The grid of every second voxel.
Shape half(const Shape& fine);

// (n, channels, fine) to (n, channels, half(fine)).
void reduce(const float* in, float* out, const Shape& fine, int channels);

// (n, dims, half(fine)) to (n, dims, fine), in voxels of the respective grid.
void refine(const float* in, float* out, const Shape& fine);
// grad_in = refine^T grad_out, overwritten.
void refine_backward(const float* grad_out, float* grad_in, const Shape& fine);

namespace reference {
template <class T>
void reduce(const T* in, T* out, const Shape& fine, int channels);
template <class T>
void refine(const T* in, T* out, const Shape& fine);
template <class T>
void refine_backward(const T* grad_out, T* grad_in, const Shape& fine);
}  // namespace reference
}  // namespace aladdin::kernels
