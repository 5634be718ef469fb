// Every operator in plain Torch: for devices without kernels of ours, and to test and time ours
// against. Same definitions and conventions; only on an axis of one voxel the zero rule acts as the
// clamp rule.
#pragma once

#include <ATen/ATen.h>

#include "aladdin/kernels/field.h"

namespace aladdin::ops::plain {

at::Tensor warp(const at::Tensor& in, const at::Tensor& u, kernels::Border border);
at::Tensor compose(const at::Tensor& v, const at::Tensor& u);
at::Tensor exponential(const at::Tensor& v, int squarings, double sign, kernels::Border border);
at::Tensor jacobian_determinant(const at::Tensor& u);
at::Tensor bending_energy(const at::Tensor& u, const std::array<double, 3>& spacing_mm);
at::Tensor mse(const at::Tensor& a, const at::Tensor& b);
at::Tensor ncc(const at::Tensor& a, const at::Tensor& b);
at::Tensor lncc(const at::Tensor& a, const at::Tensor& b, int window);

}  // namespace aladdin::ops::plain
