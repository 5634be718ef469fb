#include "aladdin/transform/affine.h"

#include <gtest/gtest.h>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

Affine sample() {
  return compose(rotation(1, 0.4, {3, -5, 7}),
                 compose(scaling({1.2, 0.8, 1.5}), translation({4, 5, -6})));
}

TEST(Affine, InverseUndoesIt) {
  const Vec3 point{12, -34, 56};
  const Affine affine = sample();
  EXPECT_LT(norm(inverse(affine)(affine(point)) - point), 1e-12);
  EXPECT_LT(norm(affine(inverse(affine)(point)) - point), 1e-12);
}

TEST(Affine, ComposeAppliesTheInnerFirst) {
  const Affine turn = rotation(2, 1.0), shift = translation({10, 0, 0});
  const Vec3 point{1, 2, 3};
  EXPECT_LT(norm(compose(turn, shift)(point) - turn(shift(point))), 1e-12);
  EXPECT_GT(norm(compose(shift, turn)(point) - turn(shift(point))), 1.0);
}

TEST(Affine, RotationAndScalingKeepTheirCentre) {
  const Vec3 centre{5, -6, 7};
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_LT(norm(rotation(axis, 0.7, centre)(centre) - centre), 1e-12);
  EXPECT_LT(norm(scaling({2, 3, 4}, centre)(centre) - centre), 1e-12);
}

TEST(Affine, DecompositionFindsWhatWasPutIn) {
  const double degree = 0.017453292519943295;
  const Mat3 turn = rotation(2, 30 * degree).matrix * rotation(1, -20 * degree).matrix *
                    rotation(0, 10 * degree).matrix;
  const Mat3 shear{{{1, 0.1, -0.2}, {0, 1, 0.3}, {0, 0, 1}}};
  const AffineParts parts = decompose({turn * (diagonal({1.5, 0.5, 2}) * shear), {1, 2, 3}});
  const Vec3 scale{1.5, 0.5, 2}, angles{10, -20, 30}, shears{0.1, -0.2, 0.3};
  EXPECT_LT(norm(parts.scale - scale), 1e-12);
  EXPECT_LT(norm(parts.rotation_deg - angles), 1e-9);
  EXPECT_LT(norm(parts.shear - shears), 1e-12);
  EXPECT_NEAR(parts.determinant, 1.5, 1e-12);
  EXPECT_LT(decompose({diagonal({1, -2, 1}), {0, 0, 0}}).scale[0], 0) << "a reflection";
}

TEST(Affine, ASingularOneHasNoInverse) { EXPECT_THROW(inverse(scaling({1, 0, 1})), Error); }

}  // namespace
}  // namespace aladdin
