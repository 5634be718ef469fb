// Whole packed fields (fast/table.h) of one item, on all threads.
#pragma once

#include "aladdin/kernels/field.h"
#include "aladdin/kernels/slabs.h"

namespace aladdin::kernels::packed {

Buffer make(const Shape& shape);  // its tail is zero, its voxels are not set
Buffer pack(const float* planar, const Shape& shape, float scale);
void pack_into(const float* planar, float* packed, const Shape& shape, float scale);
void unpack(const float* packed, float* planar, const Shape& shape, float scale);

// out = keep u + v(x + u), packed or planar: a composition with keep 1, a pull-back of v with keep 0.
// `out` is not v or u.
void compose(const float* v, const float* u, float keep, float* out, bool planar, const Shape& shape);

// grad_u = (d out / d u)^T g and grad_v = (d out / d v)^T g. If grad_v is null, that part is added to
// grad_u: the gradient of a squaring, where v is u.
void compose_backward(const float* v, const float* u, float keep, const float* g, float* grad_u,
                      float* grad_v, const Shape& shape);

}  // namespace aladdin::kernels::packed
