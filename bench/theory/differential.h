// Derivatives on a grid, the voxel being the unit of length; central differences inside, one-sided at
// the border. Not differentiable by autograd: these are what analytic derivatives are made of.
#pragma once

#include <ATen/ATen.h>

namespace aladdin::theory {

// (n, dims, …): the gradient of an image (n, 1, …).
at::Tensor image_gradient(const at::Tensor& image);

// (D(id + u))^T g, for fields u and g.
at::Tensor transposed_jacobian_product(const at::Tensor& u, const at::Tensor& g);

// The derivative of R(u) = sum_x sum_{k,a,b} (d_a d_b u_k)^2 (kernels/bending.h, as a sum): in the
// interior
//
//   dR/du = 2 Laplacian^2 u,
//
// and at the border the adjoint of the same second differences, which are taken only where a voxel has
// all neighbours. Zero where u is affine.
at::Tensor bending_derivative(const at::Tensor& u);

}  // namespace aladdin::theory
