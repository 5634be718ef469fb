// Whole vector fields of one item, on all threads, the interpolated field packed (fast/table.h).
#pragma once

#include "aladdin/kernels/buffer.h"
#include "aladdin/kernels/field.h"

namespace aladdin::kernels::packed {

Buffer make(const Shape& shape);  // its tail is zero, its voxels are not set
Buffer pack(const float* planar, const Shape& shape, float scale = 1.0F);
void pack_into(const float* planar, float* packed, const Shape& shape, float scale);
void unpack(const float* packed, float* planar, const Shape& shape, float scale);

// One squaring: out = u + u(x + u), out packed or planar, not u itself.
void square(const float* u, float* out, bool planar_out, const Shape& shape);
// grad_u = (d out / d u)^T g, all packed.
void square_backward(const float* u, const float* g, float* grad_u, const Shape& shape);

// out = keep u + v(x + u), all planar but for the packed v: a composition with keep 1, a pull-back
// of v with keep 0.
void compose(const float* v, const float* u, float keep, float* out, const Shape& shape);
// Its gradients, planar, either may be null.
void compose_backward(const float* v, const float* u, float keep, const float* g, float* grad_v,
                      float* grad_u, const Shape& shape);

}  // namespace aladdin::kernels::packed
