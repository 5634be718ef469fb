// Dissimilarities of two batches of single-channel images a and b, each a mean over the batch so
// that a weight means the same for every batch size. All return the loss and write its gradients
// (overwritten) unless the pointers are null.
//
//   mse:   mean_x (a - b)^2
//   ncc:   1 - cov(a, b) / sqrt((var a + eps)(var b + eps)), over the whole image; eps = 1e-10
//   lncc:  1 - mean_x cov_W(a, b)^2 / (var_W a * var_W b + eps), over the window W(x); eps = 1e-5
//
// W(x) is a cube of `window` (odd) voxels around x, cut off at the border, with means over what is
// left. An axis shorter than the window is covered whole. A constant image gives a finite loss with
// finite gradients. The published code's NCC has no epsilon (NaN on a constant image).
#pragma once

#include "aladdin/kernels/field.h"

namespace aladdin::kernels {

constexpr double kNccEpsilon = 1e-10;
constexpr double kLnccEpsilon = 1e-5;

double mse(const float* a, const float* b, float* grad_a, float* grad_b, const Shape& shape);
double ncc(const float* a, const float* b, float* grad_a, float* grad_b, const Shape& shape);
double lncc(const float* a, const float* b, float* grad_a, float* grad_b, const Shape& shape,
            int window);

namespace reference {
template <class T>
double mse(const T* a, const T* b, T* grad_a, T* grad_b, const Shape& shape);
template <class T>
double ncc(const T* a, const T* b, T* grad_a, T* grad_b, const Shape& shape);
template <class T>
double lncc(const T* a, const T* b, T* grad_a, T* grad_b, const Shape& shape, int window);
}  // namespace reference
}  // namespace aladdin::kernels
