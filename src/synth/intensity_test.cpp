#include "aladdin/synth/intensity.h"

#include <gtest/gtest.h>

#include "aladdin/synth/noise.h"

namespace aladdin::synth {
namespace {

TEST(Noise, HasMeanZeroAndItsSeedMatters) {
  Rng rng(1);
  double sum = 0, square = 0, product = 0;
  constexpr int kCount = 20000;
  for (int n = 0; n < kCount; ++n) {
    const Point p{static_cast<float>(rng.uniform(-99, 99)),
                  static_cast<float>(rng.uniform(-99, 99)),
                  static_cast<float>(rng.uniform(-99, 99))};
    const double one = smooth_noise(p, 1), other = smooth_noise(p, 2);
    sum += one;
    square += one * one;
    product += one * other;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.02);
  EXPECT_NEAR(std::sqrt(square / kCount), 0.3, 0.1);
  EXPECT_NEAR(product / square, 0, 0.05);
}

TEST(Noise, IsContinuous) {
  for (float x = -3.0F; x < 3.0F; x += 0.01F)
    EXPECT_NEAR(smooth_noise({x, 0.3F, 0.7F}, 5), smooth_noise({x + 0.01F, 0.3F, 0.7F}, 5), 0.05F);
}

TEST(Rician, BackgroundIsRayleigh) {
  Rng rng(3);
  double sum = 0;
  constexpr int kCount = 50000;
  for (int n = 0; n < kCount; ++n) sum += rician(0.0F, 1.0F, rng);
  EXPECT_NEAR(sum / kCount, 1.2533, 0.01);  // sqrt(pi / 2)
}

TEST(Rician, WithoutNoiseIsTheSignal) {
  Rng rng(3);
  EXPECT_FLOAT_EQ(rician(0.4F, 0.0F, rng), 0.4F);
}

TEST(CoilBias, IsPositiveAndOneWithoutStrength) {
  Rng rng(3);
  const CoilBias none(rng, 0.0), strong(rng, 4.0);
  EXPECT_FLOAT_EQ(none(0.3F, -1.0F, 1.0F), 1.0F);
  EXPECT_GT(strong(1, 1, 1), 0.0F);
  EXPECT_NE(strong(1, 1, 1), strong(-1, 1, 1));
}

}  // namespace
}  // namespace aladdin::synth
