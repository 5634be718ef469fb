// Affine: point -> matrix * point + offset, in LPS mm.
#pragma once

#include "aladdin/core/linear.h"

namespace aladdin {

struct Affine {
  Mat3 matrix = kIdentity3;
  Vec3 offset{0, 0, 0};
  int dims = 3;  // 2: the third row and column are the identity's

  Vec3 operator()(const Vec3& point) const { return matrix * point + offset; }
};

Affine translation(const Vec3& offset, int dims = 3);
// outer after inner: point -> outer(inner(point)).
Affine compose(const Affine& outer, const Affine& inner);
Affine inverse(const Affine& affine);

}  // namespace aladdin
