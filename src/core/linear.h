// 3-vectors and 3x3 matrices in double, row-major: enough for geometry, nothing more.
#pragma once

#include <array>
#include <cmath>

namespace aladdin {

using Vec3 = std::array<double, 3>;
using Mat3 = std::array<std::array<double, 3>, 3>;

constexpr Mat3 kIdentity3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

// On vectors inline: they stand in the innermost loops of everything that maps points.
inline Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }
inline Vec3 operator*(const Mat3& m, const Vec3& a) {
  return {dot(m[0], a), dot(m[1], a), dot(m[2], a)};
}
Mat3 operator*(const Mat3& a, const Mat3& b);
Mat3 transpose(const Mat3& m);
Mat3 diagonal(const Vec3& d);
double determinant(const Mat3& m);
// Throws when |det m| is below 1e-12 of the product of its row norms.
Mat3 inverse(const Mat3& m);
// exp(m) by scaling and squaring of its Taylor series, to double precision.
Mat3 matrix_exponential(const Mat3& m);

}  // namespace aladdin
