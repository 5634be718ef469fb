#include "aladdin/synth/planted.h"

#include <gtest/gtest.h>

#include "aladdin/synth/bones.h"

namespace aladdin::synth {
namespace {

double femur(const Vec3& p) { return femur_distance({float(p[0]), float(p[1]), float(p[2])}); }

// On the back of the lateral condyle, at this distance from the bone.
Vec3 behind(double distance_mm, double x = -15) {
  double low = 0, high = 60;
  for (int halving = 0; halving < 40; ++halving) {
    const double middle = (low + high) / 2;
    (femur({x, 2 + middle, 27}) < distance_mm ? low : high) = middle;
  }
  return {x, 2 + low, 27};
}

// Distances are exact to a few per cent (distance.h), and so is this.
TEST(Planted, ThinsTheCartilageByItsRate) {
  for (const int dims : {2, 3})
    for (const double rate : {0.3, -0.2})
      for (const double s : {0.5, 1.5, 2.0}) {
        const Vec3 p = behind(s);
        EXPECT_EQ(planted_share(p), 1);
        EXPECT_NEAR(femur(planted_map(p, rate, dims)), s * std::exp(-rate), 0.06 * s);
      }
}

TEST(Planted, MovesNothingElse) {
  const Vec3 still[] = {behind(-1), behind(7.5), behind(1, 15), {-15, -40, 30}, {-15, 5, 2}};
  for (const Vec3& p : still) EXPECT_EQ(norm(planted_map(p, 0.3, 3) - p), 0);
}

TEST(Planted, TheOtherRateIsTheInverse) {
  for (double s = 0.25; s < 7; s += 0.5) {
    const Vec3 p = behind(s);
    EXPECT_LT(norm(planted_map(planted_map(p, 0.3, 3), -0.3, 3) - p), 1e-3);
  }
  EXPECT_EQ(norm(planted_map(behind(1), 0, 3) - behind(1)), 0);
}

TEST(Planted, StaysInThePlaneIn2D) { EXPECT_EQ(planted_map(behind(1), 0.3, 2)[0], -15); }

}  // namespace
}  // namespace aladdin::synth
