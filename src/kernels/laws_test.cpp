// Facts that hold for the kernels whatever their implementation.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "aladdin/core/rng.h"
#include "aladdin/kernels/bending.h"
#include "aladdin/kernels/exponential.h"
#include "aladdin/kernels/jacobian.h"
#include "aladdin/kernels/similarity.h"
#include "aladdin/kernels/warp.h"

namespace aladdin::kernels {
namespace {

using Field = std::vector<float>;

constexpr Shape kVolume{2, 17, 20, 23, 3};
constexpr Shape kPicture{2, 1, 30, 41, 2};

Field make_field(const Shape& s, auto&& value) {
  Field u(s.n * s.dims * s.voxels());
  for (std::int64_t n = 0; n < s.n; ++n)
    for (int c = 0; c < s.dims; ++c)
      for (std::int64_t z = 0; z < s.d; ++z)
        for (std::int64_t y = 0; y < s.h; ++y)
          for (std::int64_t x = 0; x < s.w; ++x)
            u[(n * s.dims + c) * s.voxels() + x + s.w * (y + s.h * z)] =
                static_cast<float>(value(c, double(x), double(y), double(z)));
  return u;
}

// Smooth, a few voxels large, small at the border.
Field smooth_field(const Shape& s, double size) {
  return make_field(s, [&](int c, double x, double y, double z) {
    const double px = x / double(s.w - 1), py = y / double(s.h - 1),
                 pz = s.d > 1 ? z / double(s.d - 1) : 0.5;
    const double bump = std::sin(M_PI * px) * std::sin(M_PI * py) * std::sin(M_PI * pz);
    return size * bump * std::sin(3 * px + 2 * py + pz + 2 * c);
  });
}

Field random_image(const Shape& s, int seed) {
  Field image(s.n * s.voxels());
  Rng rng(seed);
  for (float& value : image) value = static_cast<float>(rng.uniform());
  return image;
}

double largest(const Field& field) {
  double most = 0;
  for (const float value : field) most = std::max(most, std::abs(double(value)));
  return most;
}

bool all_finite(const Field& field) {
  for (const float value : field)
    if (!std::isfinite(value)) return false;
  return true;
}

class Laws : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(Dims, Laws, testing::Values(kVolume, kPicture), [](const auto& shape) {
  return shape.param.dims == 2 ? "Picture" : "Volume";
});

TEST_P(Laws, ExponentialOfZeroIsTheIdentity) {
  const Shape s = GetParam();
  Field v(s.n * s.dims * s.voxels(), 0.0F), u(v.size(), 7.0F);
  exponential(v.data(), u.data(), s, 7);
  EXPECT_EQ(largest(u), 0.0);
}

TEST_P(Laws, ExponentialOfAConstantIsThatConstantUpToTheBorder) {
  const Shape s = GetParam();
  const Field v = make_field(s, [](int c, double, double, double) { return 1.5 - 2.0 * c; });
  Field u(v.size());
  exponential(v.data(), u.data(), s, 7);
  for (std::size_t i = 0; i < u.size(); ++i) ASSERT_NEAR(u[i], v[i], 1e-5);
}

TEST_P(Laws, ExponentialsOfVAndMinusVAreInverseAndMoreSquaringsMakeThemCloser) {
  const Shape s = GetParam();
  const Field v = smooth_field(s, 4.0);
  double before = 1e9;
  for (const int squarings : {1, 3, 5, 7}) {
    Field forward(v.size()), backward(v.size()), both(v.size());
    exponential(v.data(), forward.data(), s, squarings, 1.0F);
    exponential(v.data(), backward.data(), s, squarings, -1.0F);
    compose(forward.data(), backward.data(), both.data(), s);
    double mean = 0;
    for (const float value : both) mean += std::abs(value) / double(both.size());
    EXPECT_LT(mean, before) << squarings;
    before = mean;
  }
  EXPECT_LT(before, 0.02);
}

TEST_P(Laws, AffineMotionSurvivesAtTheBorder) {
  // The flow of v(x) = a (x - c) is x -> c + e^a (x - c); zeros beyond the border would eat it.
  const Shape s = GetParam();
  const double a = -0.1, cx = double(s.w - 1) / 2;  // inwards, so no point leaves the grid
  const Field v =
      make_field(s, [&](int c, double x, double, double) { return c == 0 ? a * (x - cx) : 0; });
  Field u(v.size());
  exponential(v.data(), u.data(), s, 7);
  EXPECT_NEAR(u[0], (std::exp(a) - 1) * (0 - cx), 2e-3);
  EXPECT_NEAR(u[s.w - 1], (std::exp(a) - 1) * (double(s.w - 1) - cx), 2e-3);
}

TEST_P(Laws, JacobianOfAScalingIsItsVolumeFactorEverywhere) {
  const Shape s = GetParam();
  const Field u = make_field(s, [](int c, double x, double y, double z) {
    return c == 0 ? 0.2 * x : c == 1 ? -0.1 * y : 0.5 * z;
  });
  Field det(s.n * s.voxels());
  jacobian_determinant(u.data(), det.data(), s);
  for (const float value : det) ASSERT_NEAR(value, s.dims == 3 ? 1.2 * 0.9 * 1.5 : 1.2 * 0.9, 1e-4);
}

TEST_P(Laws, JacobianOfAFoldIsNegative) {
  const Shape s = GetParam();
  const Field u =
      make_field(s, [](int c, double x, double, double) { return c == 0 ? -1.5 * x : 0; });
  Field det(s.n * s.voxels());
  jacobian_determinant(u.data(), det.data(), s);
  for (const float value : det) ASSERT_NEAR(value, -0.5, 1e-4);
}

TEST_P(Laws, BendingEnergyOfAnyAffineMapIsZero) {
  const Shape s = GetParam();
  const Field u = make_field(s, [](int c, double x, double y, double z) {
    return 0.25 * (c + 1) * x - 0.5 * y + 0.125 * c * z + 3;
  });
  Field grad(u.size());
  EXPECT_NEAR(bending_energy(u.data(), grad.data(), s, {0.7, 1.3, 2.0}), 0.0, 1e-10);
  EXPECT_NEAR(largest(grad), 0.0, 1e-7);
}

TEST_P(Laws, BendingEnergyOfAParabolaIsItsSquaredCurvatureAtAnySpacing) {
  // u_x(mm) = k/2 x^2 (mm) has the second derivative k along x and nothing else.
  const Shape s = GetParam();
  const double k = 0.02;
  for (const double spacing : {0.5, 1.0, 2.0}) {
    const Field u = make_field(s, [&](int c, double x, double, double) {
      return c == 0 ? 0.5 * k * x * spacing * x * spacing / spacing : 0;
    });
    EXPECT_NEAR(bending_energy(u.data(), nullptr, s, {spacing, 1.1, 0.9}), k * k, 1e-3 * k * k);
  }
}

TEST_P(Laws, NccIgnoresAffineChangesOfIntensity) {
  const Shape s = GetParam();
  const Field a = random_image(s, 1), b = random_image(s, 2);
  Field changed = b;
  for (float& value : changed) value = 3.0F * value + 0.7F;
  EXPECT_NEAR(ncc(a.data(), b.data(), nullptr, nullptr, s),
              ncc(a.data(), changed.data(), nullptr, nullptr, s), 1e-6);
  EXPECT_NEAR(ncc(b.data(), changed.data(), nullptr, nullptr, s), 0.0, 1e-6);
  for (float& value : changed) value = -value;
  EXPECT_NEAR(ncc(b.data(), changed.data(), nullptr, nullptr, s), 2.0, 1e-6);
}

TEST_P(Laws, CorrelationsOfConstantsAreFinite) {
  const Shape s = GetParam();
  const Field other = random_image(s, 3);
  // Means that float cannot hold must not look like a correlation.
  for (const float value : {0.0F, 0.4F, 1000.123F}) {
    const Field flat(s.n * s.voxels(), value), second(flat.size(), 777.77F);
    for (const Field* b : {&flat, &second, &other}) {
      Field grad_a(flat.size()), grad_b(flat.size());
      const double global = ncc(flat.data(), b->data(), grad_a.data(), grad_b.data(), s);
      EXPECT_NEAR(global, 1.0, 1e-3) << value;
      EXPECT_TRUE(all_finite(grad_a) && all_finite(grad_b)) << value;
      const double local = lncc(flat.data(), b->data(), grad_a.data(), grad_b.data(), s, 5);
      // Two flat images match; a flat one shares nothing but the noise with any other.
      EXPECT_NEAR(local, b == &other ? 1.0 : 0.0, b == &other ? 0.2 : 1e-3) << value;
      EXPECT_TRUE(all_finite(grad_a) && all_finite(grad_b)) << value;
    }
  }
}

TEST_P(Laws, LnccOfAnImageWithItselfIsNearZeroAndOfNoiseNearOne) {
  const Shape s = GetParam();
  const Field a = random_image(s, 4), b = random_image(s, 5);
  EXPECT_LT(lncc(a.data(), a.data(), nullptr, nullptr, s, 7), 0.01);
  EXPECT_GT(lncc(a.data(), b.data(), nullptr, nullptr, s, 7), 0.9);
}

TEST_P(Laws, MseOfAShiftIsItsSquare) {
  const Shape s = GetParam();
  const Field a = random_image(s, 6);
  Field b = a;
  for (float& value : b) value += 0.5F;
  EXPECT_NEAR(mse(a.data(), b.data(), nullptr, nullptr, s), 0.25, 1e-6);
}

TEST_P(Laws, WholeVoxelWarpsMoveVoxelsAndBordersFollowTheirRule) {
  const Shape s = GetParam();
  const Field a = random_image(s, 7);
  const Field u = make_field(s, [](int c, double, double, double) {
    return c == 0 ? 2 : c == 1 ? -1 : 0;
  });
  for (const Border border : {Border::clamp, Border::zero}) {
    Field out(a.size());
    warp(a.data(), u.data(), out.data(), s, 1, border);
    EXPECT_EQ(out[5 + s.w * 4], a[7 + s.w * 3]);
    EXPECT_EQ(out[s.w - 1 + s.w * 4], border == Border::clamp ? a[s.w - 1 + s.w * 3] : 0.0F);
    EXPECT_EQ(out[5], border == Border::clamp ? a[7] : 0.0F);
  }
}

TEST(Laws, DerivativesComeFromTheRightCellFarFromTheOrigin) {
  // Just below a whole number at a large coordinate, where adding one would round up.
  const Shape s{1, 1, 1, 3000, 2};
  Field image(s.voxels()), u(2 * s.voxels(), 0.0F), ones(s.voxels(), 1.0F), grad(u.size());
  for (std::int64_t x = 0; x < s.w; ++x) image[x] = x == 2048 ? 1.0F : 0.0F;
  u[2048] = -1.3e-4F;  // 2047.9999: the slope of the cell 2047 … 2048 is +1
  for (const Border border : {Border::clamp, Border::zero}) {
    warp_backward(image.data(), u.data(), ones.data(), nullptr, grad.data(), s, 1, border);
    EXPECT_FLOAT_EQ(grad[2048], 1.0F);
  }
}

TEST_P(Laws, NotANumberInAMapIsHarmlessToMemory) {
  const Shape s = GetParam();
  const Field a = random_image(s, 8);
  Field u(s.n * s.dims * s.voxels(), 0.0F), grad(u.size()), out(u.size());
  u[3] = NAN;
  u[s.voxels() + 40] = INFINITY;
  u[(s.dims - 1) * s.voxels() + 50] = -1e30F;
  const Field ones(u.size(), 1.0F);
  for (const Border border : {Border::clamp, Border::zero}) {
    warp(a.data(), u.data(), out.data(), s, 1, border);
    warp_backward(a.data(), u.data(), ones.data(), out.data(), grad.data(), s, 1, border);
  }
  exponential(u.data(), out.data(), s, 4);
  exponential_backward(u.data(), ones.data(), grad.data(), s, 4);
  EXPECT_EQ(out[s.w * 9 + 9], 0.0F);
}

}  // namespace
}  // namespace aladdin::kernels
