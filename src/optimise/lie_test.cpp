#include "aladdin/optimise/lie.h"

#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/kernels/exponential.h"
#include "aladdin/kernels/warp.h"

namespace aladdin {
namespace {

using Values = std::vector<float>;

// A rotation and a growth about the middle of the grid, and a wave on it.
Values turning(const kernels::Shape& s, double angle, double growth, double wave) {
  Values v(static_cast<std::size_t>(s.dims * s.voxels()));
  for (std::int64_t x = 0; x < s.voxels(); ++x) {
    const double p = double(x % s.w) - 0.5 * double(s.w - 1),
                 q = double(x / s.w % s.h) - 0.5 * double(s.h - 1);
    v[x] = float(growth * p - angle * q + wave * std::sin(q / 5));
    v[s.voxels() + x] = float(growth * q + angle * p + wave * std::cos(p / 6));
  }
  return v;
}

// The largest distance between exp(v) o exp(w) and exp(of), away from the border.
double error_of(const Values& of, const Values& v, const Values& w, const kernels::Shape& s) {
  Values a(v.size()), b(v.size()), c(v.size()), there(v.size());
  kernels::exponential(v.data(), a.data(), s, 8, 1, kernels::Border::clamp);
  kernels::exponential(w.data(), b.data(), s, 8, 1, kernels::Border::clamp);
  kernels::exponential(of.data(), c.data(), s, 8, 1, kernels::Border::clamp);
  kernels::warp(a.data(), b.data(), there.data(), s, s.dims, kernels::Border::clamp);
  double worst = 0;
  for (std::int64_t x = 0; x < s.voxels(); ++x) {
    const std::int64_t i = x % s.w, j = x / s.w % s.h;
    if (i < 12 || j < 12 || i >= s.w - 12 || j >= s.h - 12) continue;
    for (int k = 0; k < s.dims; ++k) {
      const std::int64_t at = k * s.voxels() + x;
      worst = std::max(worst, std::abs(double(there[at]) + b[at] - c[at]));
    }
  }
  return worst;
}

}  // namespace

TEST(Lie, ComposesARotationWithASmallMotionFarBetterThanTheirSum) {
  const kernels::Shape s{1, 1, 64, 60, 2};
  const Values v = turning(s, 0.25, 0.1, 1.0), w = turning(s, 0.01, -0.02, 0.5);
  Values sum = v;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += w[i];
  const double plain = error_of(sum, v, w, s), better = error_of(composed(v, w, s), v, w, s);
  EXPECT_GT(plain, 0.1);
  EXPECT_LT(better, 0.1 * plain);
}

TEST(Lie, TranslationsCommute) {
  const kernels::Shape s{1, 5, 6, 7, 3};
  Values v(3 * 5 * 6 * 7, 0.5F), w(v.size(), -2.0F);
  for (const float x : bracket(v, w, s)) EXPECT_EQ(x, 0);
  for (const float x : composed(v, w, s)) EXPECT_EQ(x, -1.5F);
}

TEST(Lie, WhatCommutesWithItselfIsUndone) {
  const kernels::Shape s{1, 1, 40, 40, 2};
  const Values v = turning(s, 0.3, 0.1, 2.0);
  Values back = v;
  for (float& x : back) x = -x;
  for (const float x : composed(v, back, s)) EXPECT_NEAR(x, 0, 1e-4);
}

// Differences of an affine function are exact, at the border as well.
TEST(Lie, TheBracketOfAffineVelocitiesIsThatOfTheirMatrices) {
  const kernels::Shape s{1, 1, 9, 8, 2};
  const Values v = turning(s, 0, 0.3, 0), w = turning(s, 0.2, 0, 0);  // growth commutes with a turn
  for (const float x : bracket(v, w, s)) EXPECT_NEAR(x, 0, 1e-5);
}

}  // namespace aladdin
