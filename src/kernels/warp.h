// Pull-back of images and vector fields through a displacement, linear interpolation:
//
//   warp:     out[n,c,x] = in[n,c](x + u[n](x))
//   compose:  out[n](x)  = u[n](x) + v[n](x + u[n](x)),  i.e.  id + out = (id + v) o (id + u)
//
// in, out, v: (n, channels, d, h, w); u: (n, dims, d, h, w), in voxels. Differentiable in `in`, `v`
// and `u`. At a voxel the derivative in u is the one of the cell to its right (to its left at the
// far border); beyond the border it is zero under the clamp rule. `compose` uses the clamp rule.
#pragma once

#include "aladdin/kernels/field.h"

namespace aladdin::kernels {

void warp(const float* in, const float* u, float* out, const Shape& shape, int channels,
          Border border);

// Either gradient may be null. Both are overwritten.
void warp_backward(const float* in, const float* u, const float* grad_out, float* grad_in,
                   float* grad_u, const Shape& shape, int channels, Border border);

void compose(const float* v, const float* u, float* out, const Shape& shape);
void compose_backward(const float* v, const float* u, const float* grad_out, float* grad_v,
                      float* grad_u, const Shape& shape);

namespace reference {
template <class T>
void warp(const T* in, const T* u, T* out, const Shape& shape, int channels, Border border);
template <class T>
void warp_backward(const T* in, const T* u, const T* grad_out, T* grad_in, T* grad_u,
                   const Shape& shape, int channels, Border border);
template <class T>
void compose(const T* v, const T* u, T* out, const Shape& shape);
template <class T>
void compose_backward(const T* v, const T* u, const T* grad_out, T* grad_v, T* grad_u,
                      const Shape& shape);
}  // namespace reference
}  // namespace aladdin::kernels
