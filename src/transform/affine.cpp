#include "aladdin/transform/affine.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aladdin {
namespace {

// point -> centre + matrix * (point - centre)
Affine about(const Mat3& matrix, const Vec3& centre, int dims) {
  return {matrix, centre - matrix * centre, dims};
}

double degrees(double radians) { return radians * 180.0 / std::numbers::pi; }

}  // namespace

Affine translation(const Vec3& offset, int dims) { return {kIdentity3, offset, dims}; }

Affine rotation(int axis, double radians, const Vec3& centre, int dims) {
  Mat3 matrix = kIdentity3;
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  matrix[a][a] = matrix[b][b] = std::cos(radians);
  matrix[b][a] = std::sin(radians);
  matrix[a][b] = -matrix[b][a];
  return about(matrix, centre, dims);
}

Affine scaling(const Vec3& factors, const Vec3& centre, int dims) {
  return about(diagonal(factors), centre, dims);
}

Affine compose(const Affine& outer, const Affine& inner) {
  return {outer.matrix * inner.matrix, outer.matrix * inner.offset + outer.offset, inner.dims};
}

Affine inverse(const Affine& affine) {
  const Mat3 back = inverse(affine.matrix);
  return {back, -1.0 * (back * affine.offset), affine.dims};
}

Affine to_points(const Grid& grid) { return {grid.index_to_point(), grid.origin, grid.dims}; }
Affine to_indices(const Grid& grid) { return inverse(to_points(grid)); }

AffineParts decompose(const Affine& affine) {
  AffineParts parts;
  parts.determinant = determinant(affine.matrix);
  const Mat3 columns = transpose(affine.matrix);
  // Gram-Schmidt on the columns, x first.
  Vec3 q[3];
  double upper[3][3] = {};
  for (int column = 0; column < 3; ++column) {
    q[column] = columns[column];
    for (int before = 0; before < column; ++before) {
      upper[before][column] = dot(q[before], columns[column]);
      q[column] = q[column] - upper[before][column] * q[before];
    }
    upper[column][column] = norm(q[column]);
    if (upper[column][column] > 0) q[column] = (1.0 / upper[column][column]) * q[column];
  }
  if (parts.determinant < 0) {
    q[0] = -1.0 * q[0];
    for (double& entry : upper[0]) entry = -entry;
  }
  const auto ratio = [&](int row, int column) {
    return upper[row][row] == 0 ? 0.0 : upper[row][column] / upper[row][row];
  };
  parts.scale = {upper[0][0], upper[1][1], upper[2][2]};
  parts.shear = {ratio(0, 1), ratio(0, 2), ratio(1, 2)};
  parts.rotation_deg = {degrees(std::atan2(q[1][2], q[2][2])),
                        degrees(-std::asin(std::clamp(q[0][2], -1.0, 1.0))),
                        degrees(std::atan2(q[0][1], q[0][0]))};
  return parts;
}

}  // namespace aladdin
