// Linear sampling of vector fields at a continuous index (image/sample.h).
#pragma once

#include "aladdin/image/sample.h"
#include "aladdin/transform/affine.h"

namespace aladdin {

inline Vec3 vector_at(const VectorImage& field, const Cell& cell) {
  Vec3 value{0, 0, 0};
  for (int c = 0; c < field.grid.dims; ++c) value[c] = linear_at(field.component(c), cell);
  return value;
}

// jacobian[c][axis]: component c along index axis `axis`.
inline Vec3 vector_with_jacobian(const VectorImage& field, const Cell& cell, Mat3& jacobian) {
  Vec3 value{0, 0, 0};
  jacobian = Mat3{};
  for (int c = 0; c < field.grid.dims; ++c)
    value[c] = linear_with_gradient(field.component(c), cell, jacobian[c]);
  return value;
}

}  // namespace aladdin
