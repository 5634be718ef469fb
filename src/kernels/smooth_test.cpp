#include "aladdin/kernels/smooth.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "aladdin/core/parallel.h"
#include "aladdin/core/rng.h"

namespace aladdin::kernels {
namespace {

std::vector<float> noise(std::int64_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> out(static_cast<std::size_t>(count));
  for (float& value : out) value = static_cast<float>(rng.normal());
  return out;
}

std::vector<float> smoothed(const std::vector<float>& in, const Shape& s, int channels,
                            double sigma) {
  std::vector<float> out(in.size());
  smooth(in.data(), out.data(), s, channels, sigma);
  return out;
}

TEST(Smooth, FastAgreesWithReference) {
  for (const Shape& s : {Shape{2, 5, 6, 7, 3}, Shape{1, 1, 9, 4, 3}, Shape{1, 3, 1, 70, 3},
                         Shape{2, 1, 33, 19, 2}, Shape{1, 1, 1, 131, 2}})
    for (const double sigma : {0.4, 1.5, 3.0}) {
      const auto in = noise(s.n * 3 * s.voxels(), 1);
      const std::vector<double> exact(in.begin(), in.end());
      std::vector<double> expected(in.size());
      reference::smooth(exact.data(), expected.data(), s, 3, sigma);
      const auto out = smoothed(in, s, 3, sigma);
      for (std::size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], expected[i], 1e-5) << i;
    }
}

TEST(Smooth, AConstantStaysAwayFromTheBorder) {
  const Shape s{1, 15, 15, 15, 3};
  const auto out = smoothed(std::vector<float>(15 * 15 * 15, 2.0F), s, 1, 1.0);
  EXPECT_NEAR(out[(7 * 15 + 7) * 15 + 7], 2, 1e-5);
  EXPECT_LT(out[0], 1);
}

TEST(Smooth, IsItsOwnWayBack) {
  const Shape s{1, 6, 7, 8, 3};
  const auto a = noise(s.voxels(), 2), b = noise(s.voxels(), 3);
  const auto of_a = smoothed(a, s, 1, 1.3), of_b = smoothed(b, s, 1, 1.3);
  EXPECT_NEAR(std::inner_product(a.begin(), a.end(), of_b.begin(), 0.0),
              std::inner_product(b.begin(), b.end(), of_a.begin(), 0.0), 1e-4);
}

TEST(Smooth, SameBitsForAnyNumberOfThreads) {
  const Shape s{1, 40, 50, 45, 3};
  const auto in = noise(3 * s.voxels(), 4);
  set_threads(1);
  const auto one = smoothed(in, s, 3, 2.0);
  for (const int count : {2, 3, 8}) {
    set_threads(count);
    EXPECT_EQ(smoothed(in, s, 3, 2.0), one) << count;
  }
  set_threads(0);
}

}  // namespace
}  // namespace aladdin::kernels
