// Exponential of a stationary velocity field by scaling and squaring (the paper, Sec. 3.2):
//
//   u_0 = sign * v / 2^K,   u_{k+1}(x) = u_k(x) + u_k(x + u_k(x)),   exp(sign * v) = id + u_K
//
// Border rule: clamp, so that affine-sized motion survives at the border. v and u in voxels. The zero
// rule is the published code's: there only forwards (ops/exponential.h has its gradient), step by
// step, slower.
#pragma once

#include "aladdin/kernels/field.h"

namespace aladdin::kernels {

constexpr int kDefaultSquarings = 7;  // as the paper

void exponential(const float* v, float* u, const Shape& shape, int squarings, float sign = 1.0F,
                 Border border = Border::clamp);

// grad_v = sign * (d u / d v)^T grad_u. The steps are computed again, item by item: nothing is kept
// from the forward pass.
void exponential_backward(const float* v, const float* grad_u, float* grad_v, const Shape& shape,
                          int squarings, float sign = 1.0F);

namespace reference {
template <class T>
void exponential(const T* v, T* u, const Shape& shape, int squarings, T sign = 1,
                 Border border = Border::clamp);
template <class T>
void exponential_backward(const T* v, const T* grad_u, T* grad_v, const Shape& shape, int squarings,
                          T sign = 1);
}  // namespace reference
}  // namespace aladdin::kernels
