#include "aladdin/synth/shape_variation.h"

#include <gtest/gtest.h>

namespace aladdin::synth {
namespace {

constexpr Vec3 kPoints[] = {{0, 0, 0}, {30, -20, 25}, {-25, 30, -40}, {10, 55, 60}, {-40, -60, 5}};

TEST(Embedding, GoesBothWays) {
  for (const int dims : {2, 3}) {
    const Embedding embedding = embedding_for({56, 140, 100}, dims);
    for (Vec3 point : kPoints) {
      if (dims == 2) point[2] = 0;
      EXPECT_LT(norm(embedding.to_atlas(embedding.to_design(point)) - point), 1e-12);
    }
  }
}

TEST(Embedding, SqueezesOnlyWhatDoesNotFit) {
  const Embedding wide = embedding_for({112, 140, 140}, 3);
  EXPECT_EQ(wide.squeeze, (Vec3{1, 1, 1}));
  const Embedding narrow = embedding_for({45, 140, 140}, 3);
  EXPECT_NEAR(narrow.squeeze[0], 0.5, 1e-12);
  EXPECT_EQ(narrow.squeeze[1], 1);
}

TEST(SmoothVelocity, FlowsBothWaysAreInverse) {
  Rng rng(2);
  const SmoothVelocity velocity(rng, 1.5, 3);
  for (const Vec3& point : kPoints) {
    const Vec3 there = velocity.flow(point, 1);
    EXPECT_GT(norm(there - point), 0.05);
    EXPECT_LT(norm(velocity.flow(there, -1) - point), 0.003);
  }
}

TEST(SmoothVelocity, StaysInThePlaneIn2D) {
  Rng rng(2);
  const SmoothVelocity velocity(rng, 1.0, 2);
  for (const Vec3& point : kPoints) EXPECT_EQ(velocity.flow(point, 1)[0], point[0]);
}

TEST(FlowTable, IsCloseToTheFlow) {
  Rng rng(4);
  const SmoothVelocity velocity(rng, 1.0, 3);
  const FlowTable table(velocity, 1, {-60, -75, -75}, {60, 75, 75});
  for (const Vec3& point : kPoints) EXPECT_LT(norm(table(point) - velocity.flow(point, 1)), 0.03);
}

TEST(RandomAffine, StrengthZeroIsTheIdentity) {
  Rng rng(1);
  for (const int dims : {2, 3}) {
    const Affine affine = random_affine(rng, 0.0, {dims, {1, 1, 1}});
    for (const Vec3& point : kPoints) EXPECT_LT(norm(affine(point) - point), 1e-12);
  }
}

TEST(RandomAffine, KeepsHandedness) {
  Rng rng(1);
  for (int n = 0; n < 200; ++n) {
    const double volume = determinant(random_affine(rng, 2.0, {2 + n % 2, {1, 1, 1}}).matrix);
    EXPECT_GT(volume, 0.3);
    EXPECT_LT(volume, 3.0);
  }
}

}  // namespace
}  // namespace aladdin::synth
