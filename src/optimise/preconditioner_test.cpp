#include "aladdin/optimise/preconditioner.h"

#include <gtest/gtest.h>

#include "aladdin/optimise/test_images.h"

namespace aladdin {
namespace {

using namespace testing;
using kernels::Shape;

double dot(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * b[i];
  return sum;
}

Values random_field(const Shape& s, std::uint64_t seed) {
  Rng rng(seed, 7);
  Values out(static_cast<std::size_t>(s.dims * s.voxels()));
  for (float& x : out) x = float(rng.uniform() - 0.5);
  return out;
}

class Preconditioned : public ::testing::TestWithParam<Shape> {};

TEST_P(Preconditioned, IsSymmetricAndPositive) {
  const Shape s = GetParam();
  for (const bool bending : {true, false}) {
    const Preconditioner p(s, {1, 2, 3}, {.kappa = 1e-3, .lambda = 5, .bending = bending});
    const Values a = random_field(s, 1), b = random_field(s, 2);
    Values pa = a, pb = b;
    p.apply(pa.data());
    p.apply(pb.data());
    EXPECT_NEAR(dot(pa, b), dot(a, pb), 1e-3 * std::sqrt(dot(pa, pa) * dot(b, b)));
    EXPECT_GT(dot(pa, a), 0);
  }
}

// What is affine moves by 1 / kappa, whatever lambda is.
TEST_P(Preconditioned, LeavesAffineMotionFree) {
  const Shape s = GetParam();
  Values affine(static_cast<std::size_t>(s.dims * s.voxels()));
  std::size_t i = 0;
  for (int c = 0; c < s.dims; ++c)
    for (std::int64_t z = 0; z < s.d; ++z)
      for (std::int64_t y = 0; y < s.h; ++y)
        for (std::int64_t x = 0; x < s.w; ++x, ++i)
          affine[i] = float(0.3 * c + 0.1 * double(x) - 0.2 * double(y) + 0.15 * double(z));
  for (const bool only : {false, true}) {
    Values out = affine;
    Preconditioner(s, {1, 1, 1}, {.kappa = 0.5, .lambda = 1e6, .affine_only = only})
        .apply(out.data());
    for (std::size_t k = 0; k < out.size(); ++k) EXPECT_NEAR(out[k], 2 * affine[k], 2e-3);
  }
}

TEST(Preconditioner, HoldsShortWavesBack) {
  const Shape s{1, 12, 16, 18, 3};
  const Preconditioner p(s, {1, 1, 1}, {.kappa = 1e-4, .lambda = 10});
  Values checks(static_cast<std::size_t>(s.dims * s.voxels()));
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const auto x = static_cast<std::int64_t>(i);  // even sizes: nothing of it is affine
    checks[i] = (x + x / s.w + x / (s.w * s.h)) % 2 == 0 ? 1.0F : -1.0F;
  }
  Values waves_out = waves(s, 1, 5), checks_out = checks;
  const double before = dot(waves_out, waves_out);
  p.apply(waves_out.data());
  p.apply(checks_out.data());
  EXPECT_GT(std::sqrt(dot(waves_out, waves_out) / before),
            5 * std::sqrt(dot(checks_out, checks_out) / dot(checks, checks)));
}

INSTANTIATE_TEST_SUITE_P(Shapes, Preconditioned,
                         ::testing::Values(Shape{1, 12, 15, 17, 3}, Shape{1, 1, 24, 31, 2},
                                           Shape{1, 8, 8, 8, 3}));

}  // namespace
}  // namespace aladdin
