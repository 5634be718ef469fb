// Determinant of the Jacobian of x -> x + u(x), u in voxels (units cancel, so it is also the
// determinant in mm). Central differences inside, one-sided at the border.
//
//   det[x] = | I + du/dx |
#pragma once

#include "aladdin/kernels/field.h"

namespace aladdin::kernels {

void jacobian_determinant(const float* u, float* det, const Shape& shape);
void jacobian_determinant_backward(const float* u, const float* grad_det, float* grad_u,
                                   const Shape& shape);

namespace reference {
template <class T>
void jacobian_determinant(const T* u, T* det, const Shape& shape);
template <class T>
void jacobian_determinant_backward(const T* u, const T* grad_det, T* grad_u, const Shape& shape);
}  // namespace reference
}  // namespace aladdin::kernels
