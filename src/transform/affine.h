// Affine: point -> matrix * point + offset, in LPS mm.
#pragma once

#include "aladdin/core/linear.h"
#include "aladdin/image/grid.h"

namespace aladdin {

struct Affine {
  Mat3 matrix = kIdentity3;
  Vec3 offset{0, 0, 0};
  int dims = 3;  // 2: the third row and column are the identity's

  Vec3 operator()(const Vec3& point) const { return matrix * point + offset; }
};

Affine translation(const Vec3& offset, int dims = 3);
// Rotation by `radians` about a world axis (2-D: axis 2) and about the point `centre`.
Affine rotation(int axis, double radians, const Vec3& centre = {0, 0, 0}, int dims = 3);
Affine scaling(const Vec3& factors, const Vec3& centre = {0, 0, 0}, int dims = 3);
// outer after inner: point -> outer(inner(point)).
Affine compose(const Affine& outer, const Affine& inner);
// Throws on a singular matrix.
Affine inverse(const Affine& affine);
// The continuous indices of a grid to points, and back.
Affine to_points(const Grid& grid);
Affine to_indices(const Grid& grid);

// matrix = rotation * upper triangular; the diagonal of the latter is `scale` (its first entry is
// negative for a reflection), the rest divided by its row's scale is `shear` (xy, xz, yz).
// rotation = Rz(r[2]) * Ry(r[1]) * Rx(r[0]).
struct AffineParts {
  Vec3 scale;
  Vec3 shear;
  Vec3 rotation_deg;
  double determinant;
};
AffineParts decompose(const Affine& affine);

}  // namespace aladdin
