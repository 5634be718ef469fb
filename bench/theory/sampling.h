// How functions on a grid are evaluated between its voxels, and the exponential that follows from it.
// Images are (n, channels, [d,] h, w), fields (n, dims, …) in voxels, x first; beyond the border the
// outermost voxel goes on. Differentiable in every argument; float or double.
//
//   linear   that of the kernels (ops/warp.h): its slope jumps at every voxel, so the derivative of a
//            discrete energy is that of the continuous one up to O(h) a voxel, O(h^2) on average
//   cubic    Catmull-Rom, in plain Torch: slopes are continuous, and the two agree to O(h^2) a voxel.
//            To look closely, not to train with: 4^dims taps, each kept for the gradient
#pragma once

#include <ATen/ATen.h>

namespace aladdin::theory {

enum class Interpolation { linear, cubic };

// in(x + u(x)). Cubic interpolation reproduces affine functions up to the border, quadratic ones
// inside, and needs two voxels along each axis.
at::Tensor warp(const at::Tensor& in, const at::Tensor& u, Interpolation interpolation);

// u + v(x + u): the displacement of (id + v) o (id + u).
at::Tensor compose(const at::Tensor& v, const at::Tensor& u, Interpolation interpolation);

// The displacement of exp(sign * v) by scaling and squaring.
at::Tensor exponential(const at::Tensor& v, double sign, int squarings,
                       Interpolation interpolation);

}  // namespace aladdin::theory
