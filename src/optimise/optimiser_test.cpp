#include "aladdin/optimise/optimiser.h"

#include <gtest/gtest.h>

#include <numbers>

#include "aladdin/core/parallel.h"
#include "aladdin/evaluate/folds.h"
#include "aladdin/optimise/grids.h"
#include "aladdin/optimise/test_images.h"

namespace aladdin {
namespace {

using namespace testing;
using kernels::Shape;

double mean_square(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum / double(a.size());
}

// The atlas pulled to the image by what was found, on the images' grid.
Values pulled(const Optimiser& optimiser, const Values& atlas, const Values& v, const Shape& full) {
  Values back = optimiser.refined(v, 2, 1);
  for (float& x : back) x = -x;
  return moved(atlas, back, full);
}

class Optimised : public ::testing::TestWithParam<Shape> {
 protected:
  const Shape shape_ = GetParam();
  const Optimiser optimiser_{Config{}, shape_, {1, 1, 1}};
  const Values atlas_ = blobs(shape_, 11, 12);
};

TEST_P(Optimised, FindsAKnownWarp) {
  const Values image = moved(atlas_, waves(shape_, 2, 5), shape_);
  const Values v = optimiser_.register_image({atlas_, image, {}});
  EXPECT_LT(mean_square(pulled(optimiser_, atlas_, v, shape_), image),
            0.1 * mean_square(atlas_, image));
}

// Far beyond what a dense field finds by small steps.
TEST_P(Optimised, FindsARotationOf40Degrees) {
  Values turn(static_cast<std::size_t>(shape_.dims * shape_.voxels()), 0.0F);
  const double angle = 40 * std::numbers::pi / 180;
  std::size_t i = 0;
  for (std::int64_t z = 0; z < shape_.d; ++z)
    for (std::int64_t y = 0; y < shape_.h; ++y)
      for (std::int64_t x = 0; x < shape_.w; ++x, ++i) {
        turn[i] = float(-angle * (double(y) - 0.5 * double(shape_.h - 1)));
        turn[static_cast<std::size_t>(shape_.voxels()) + i] =
            float(angle * (double(x) - 0.5 * double(shape_.w - 1)));
      }
  const Values image = moved(atlas_, turn, shape_);
  const Values v = optimiser_.register_image({atlas_, image, {}});
  EXPECT_LT(mean_square(pulled(optimiser_, atlas_, v, shape_), image),
            0.1 * mean_square(atlas_, image));
}

TEST_P(Optimised, WhatBeganBadlyIsFoundAgain) {
  constexpr int kStage = 4, kVoxel = kStage * 2;  // of the velocity
  const ImagePair images{atlas_, moved(atlas_, waves(shape_, 2, 5), shape_), {}};
  const Shape coarse = coarser(shape_, kStage);
  RegistrationEnergy energy(
      Config{}, coarse, {kStage, kStage, kStage},
      {reduced(images.atlas, shape_, kStage), reduced(images.image, shape_, kStage), {}});
  // Beside the image by a third of its width.
  Values far(static_cast<std::size_t>(shape_.dims * coarser(shape_, kVoxel).voxels()), 0.0F);
  std::fill_n(far.begin(), far.size() / static_cast<std::size_t>(shape_.dims),
              float(shape_.w) / (3 * kVoxel));
  const Values found = optimiser_.improve(images, far, kStage, 5),
               fresh = optimiser_.improve(images, {}, kStage, 5);
  EXPECT_LE(energy(found.data(), nullptr), energy(fresh.data(), nullptr));
}

TEST_P(Optimised, TheImageItselfIsLeftAlone) {
  const Values v = optimiser_.register_image({atlas_, atlas_, {}});
  for (const float x : v) EXPECT_NEAR(x, 0, 0.02);
}

TEST_P(Optimised, DoesNotFoldWhereTheImagesHaveNothingInCommon) {
  const Values v = optimiser_.register_image({atlas_, blobs(shape_, 77, 12), {}});
  Values u(static_cast<std::size_t>(shape_.dims * shape_.voxels()));
  for (const float sign : {1.0F, -1.0F}) {
    kernels::exponential(optimiser_.refined(v, 2, 1).data(), u.data(), shape_, 7, sign);
    EXPECT_EQ(evaluate::count_folds(u.data(), shape_).folded_cells, 0);
  }
}

TEST_P(Optimised, SameBitsForAnyNumberOfThreads) {
  const Values image = moved(atlas_, waves(shape_, 2, 6), shape_);
  const int before = threads();
  set_threads(1);
  const Values one = optimiser_.register_image({atlas_, image, {}});
  for (const int n : {2, 3, 8}) {
    set_threads(n);
    EXPECT_EQ(optimiser_.register_image({atlas_, image, {}}), one) << n;
  }
  set_threads(before);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Optimised,
                         ::testing::Values(Shape{1, 32, 40, 48, 3}, Shape{1, 1, 64, 80, 2}));

}  // namespace
}  // namespace aladdin
