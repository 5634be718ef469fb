// Dissimilarities of two batches of single-channel images a and b, each a mean over the batch so
// that a weight means the same for every batch size. All return the loss and write its gradients
// (overwritten) unless the pointers are null.
//
//   mse:   mean_x (a - b)^2
//   ncc:   1 - cov(a, b) / sqrt((var a + eps)(var b + eps)), over the whole image; eps = 1e-10
//   lncc:  1 - mean_x (cov_W(a, b) + eps)^2 / ((var_W a + eps) (var_W b + eps)), over the window W(x)
//
// The eps of lncc is the variance of a noise that both images have in common, 3e-3 of [0, 1]^2. Where a window holds more
// than noise the correlation decides, whatever the contrast; two flat windows match. With an eps in the denominator alone a
// perfect match of low contrast would cost something, and a registration would gain by squeezing the atlas until its edges
// are steeper.
//
// W(x) is a cube of `window` (odd) voxels around x, cut off at the border, with means over what is
// left. An axis shorter than the window is covered whole. A constant image gives a finite loss with
// finite gradients. The published code's NCC has no epsilon (NaN on a constant image).
#pragma once

#include "aladdin/kernels/field.h"

namespace aladdin::kernels {

constexpr double kNccEpsilon = 1e-10;
constexpr double kLnccEpsilon = 3e-3;

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
