#include "aladdin/transform/affine.h"

namespace aladdin {

Affine translation(const Vec3& offset, int dims) { return {kIdentity3, offset, dims}; }

Affine compose(const Affine& outer, const Affine& inner) {
  return {outer.matrix * inner.matrix, outer.matrix * inner.offset + outer.offset, inner.dims};
}

Affine inverse(const Affine& affine) {
  const Mat3 back = inverse(affine.matrix);
  return {back, -1.0 * (back * affine.offset), affine.dims};
}

}  // namespace aladdin
