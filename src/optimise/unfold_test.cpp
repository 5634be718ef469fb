#include "aladdin/optimise/unfold.h"

#include <gtest/gtest.h>

#include "aladdin/evaluate/folds.h"
#include "aladdin/kernels/pyramid.h"
#include "aladdin/optimise/test_images.h"

namespace aladdin {
namespace {

using namespace testing;
using kernels::Shape;

std::int64_t folded(const Values& v, const Shape& full, float sign) {
  Values fine(static_cast<std::size_t>(full.dims * full.voxels())), u(fine.size());
  kernels::refine(v.data(), fine.data(), full);
  kernels::exponential(fine.data(), u.data(), full, 7, sign);
  return evaluate::count_folds(u.data(), full).folded_cells;
}

class Unfolded : public ::testing::TestWithParam<Shape> {};

TEST_P(Unfolded, NothingFoldsAndFarAwayNothingChanges) {
  const Shape full = GetParam(), coarse = kernels::half(full);
  Values v = waves(coarse, 0.4, 1);
  const Values smooth = v;
  // A spike: two voxels that run into each other.
  const std::int64_t at = coarse.w / 4 + coarse.w * (coarse.h / 4 + coarse.h * (coarse.d / 4));
  v[static_cast<std::size_t>(at)] += 5;
  v[static_cast<std::size_t>(at) + 1] -= 5;
  ASSERT_GT(folded(v, full, 1) + folded(v, full, -1), 0);
  EXPECT_GT(unfold(v, full, 2, 7, kernels::Border::clamp), 0);
  EXPECT_EQ(folded(v, full, 1), 0);
  EXPECT_EQ(folded(v, full, -1), 0);
  EXPECT_EQ(v.back(), smooth.back());
}

TEST_P(Unfolded, WhatDoesNotFoldStays) {
  const Shape full = GetParam();
  Values v = waves(kernels::half(full), 0.4, 2);
  const Values before = v;
  EXPECT_EQ(unfold(v, full, 2, 7, kernels::Border::clamp), 0);
  EXPECT_EQ(v, before);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Unfolded,
                         ::testing::Values(Shape{1, 32, 40, 48, 3}, Shape{1, 1, 48, 64, 2}));

}  // namespace
}  // namespace aladdin
