// 3-vectors and 3x3 matrices in double, row-major: enough for geometry, nothing more.
#pragma once

#include <array>

namespace aladdin {

using Vec3 = std::array<double, 3>;
using Mat3 = std::array<std::array<double, 3>, 3>;

constexpr Mat3 kIdentity3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Vec3 operator+(const Vec3& a, const Vec3& b);
Vec3 operator-(const Vec3& a, const Vec3& b);
Vec3 operator*(double s, const Vec3& a);
Vec3 operator*(const Mat3& m, const Vec3& a);
Mat3 operator*(const Mat3& a, const Mat3& b);
double dot(const Vec3& a, const Vec3& b);
double norm(const Vec3& a);
Mat3 transpose(const Mat3& m);
Mat3 diagonal(const Vec3& d);
double determinant(const Mat3& m);
// Throws when |det m| is below 1e-12 of the product of its row norms.
Mat3 inverse(const Mat3& m);
// exp(m) by scaling and squaring of its Taylor series, to double precision.
Mat3 matrix_exponential(const Mat3& m);

}  // namespace aladdin
