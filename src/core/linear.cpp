#include "aladdin/core/linear.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"

namespace aladdin {

Mat3 operator*(const Mat3& a, const Mat3& b) {
  Mat3 product{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) product[i][j] += a[i][k] * b[k][j];
  return product;
}

Mat3 transpose(const Mat3& m) {
  return {{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}};
}

Mat3 diagonal(const Vec3& d) { return {{{d[0], 0, 0}, {0, d[1], 0}, {0, 0, d[2]}}}; }

double determinant(const Mat3& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

Mat3 inverse(const Mat3& m) {
  const double det = determinant(m);
  const double scale = norm(m[0]) * norm(m[1]) * norm(m[2]);
  if (!(std::abs(det) > 1e-12 * scale)) fail("a matrix is singular (determinant {:.3g})", det);
  Mat3 inv;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int r0 = (j + 1) % 3, r1 = (j + 2) % 3, c0 = (i + 1) % 3, c1 = (i + 2) % 3;
      inv[i][j] = (m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0]) / det;
    }
  return inv;
}

Mat3 matrix_exponential(const Mat3& m) {
  double largest = 0;
  for (const auto& row : m)
    for (const double x : row) largest = std::max(largest, std::abs(x));
  int halvings = 0;
  while (largest * 3 > 0.25 && halvings < 60) {
    largest /= 2;
    ++halvings;
  }
  Mat3 small = m, power = kIdentity3, sum = kIdentity3;
  for (auto& row : small)
    for (double& x : row) x = std::ldexp(x, -halvings);
  for (int order = 1; order <= 12; ++order) {
    power = power * small;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        power[i][j] /= order;
        sum[i][j] += power[i][j];
      }
  }
  for (int i = 0; i < halvings; ++i) sum = sum * sum;
  return sum;
}

}  // namespace aladdin
