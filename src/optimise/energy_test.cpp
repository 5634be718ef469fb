#include "aladdin/optimise/energy.h"

#include <gtest/gtest.h>

#include "aladdin/optimise/test_images.h"

namespace aladdin {
namespace {

using namespace testing;
using kernels::Shape;

struct Case {
  SimilarityKind similarity;
  RegulariserKind regulariser;
  int scale;
  bool masked;
  Shape shape;
};

class EnergyGradient : public ::testing::TestWithParam<Case> {};

// Along a smooth direction, in float: the slope of the energy is the gradient's.
TEST_P(EnergyGradient, IsTheSlopeOfTheEnergy) {
  const Case c = GetParam();
  Config config;
  config.loss.similarity = c.similarity;
  config.loss.regulariser = c.regulariser;
  config.loss.lambda = 0.7;
  config.loss.volume = 0.2;
  config.network.velocity_scale = c.scale;
  ImagePair images{blobs(c.shape, 1), blobs(c.shape, 2), {}};
  if (c.masked) {
    images.mask.assign(images.image.size(), 1.0F);
    for (std::size_t i = 0; i < images.mask.size() / 3; ++i) images.mask[i] = 0;
  }
  RegistrationEnergy energy(config, c.shape, {1.0, 1.5, 0.8}, images);
  const Shape grid = energy.velocity_shape();
  const Values v = waves(grid, 0.6, 3), d = waves(grid, 1, 4);
  Values gradient(v.size());
  energy(v.data(), gradient.data());
  double slope = 0;
  for (std::size_t i = 0; i < d.size(); ++i) slope += double(gradient[i]) * d[i];
  const auto at = [&](double t) {
    Values there = v;
    for (std::size_t i = 0; i < there.size(); ++i) there[i] += float(t * d[i]);
    return energy(there.data(), nullptr);
  };
  constexpr double h = 4e-3;
  const double expected = (at(h) - at(-h)) / (2 * h);
  EXPECT_NEAR(slope, expected, 0.03 * std::abs(expected) + 2e-5);
  EXPECT_GT(std::abs(expected), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(
    All, EnergyGradient,
    ::testing::Values(
        Case{SimilarityKind::lncc, RegulariserKind::bending, 2, false, {1, 14, 18, 20, 3}},
        Case{SimilarityKind::lncc, RegulariserKind::bending, 2, true, {1, 13, 17, 21, 3}},
        Case{SimilarityKind::ncc, RegulariserKind::gradient, 1, false, {1, 12, 12, 16, 3}},
        Case{SimilarityKind::mse, RegulariserKind::velocity, 2, false, {1, 12, 16, 16, 3}},
        Case{SimilarityKind::mi, RegulariserKind::bending, 2, false, {1, 12, 16, 18, 3}},
        Case{SimilarityKind::lncc, RegulariserKind::gradient, 2, false, {1, 1, 33, 40, 2}},
        Case{SimilarityKind::mi, RegulariserKind::velocity, 1, true, {1, 1, 24, 30, 2}}));

TEST(RegistrationEnergy, IsInfiniteWhereTheMapFolds) {
  const Shape shape{1, 1, 16, 16, 2};
  Config config;
  config.loss.volume = 0.1;
  RegistrationEnergy energy(config, shape, {1, 1, 1}, {blobs(shape, 1), blobs(shape, 2), {}});
  const Shape grid = energy.velocity_shape();
  Values v(static_cast<std::size_t>(2 * grid.voxels()), 0.0F);
  EXPECT_TRUE(std::isfinite(energy(v.data(), nullptr)));
  // A jump larger than a voxel between two columns.
  for (std::int64_t j = 0; j < grid.h; ++j)
    for (std::int64_t i = 0; i < grid.w; ++i)
      v[static_cast<std::size_t>(i + grid.w * j)] = i < grid.w / 2 ? -4.0F : 4.0F;
  EXPECT_TRUE(std::isinf(energy(v.data(), nullptr)) || energy(v.data(), nullptr) > 0.1);
}

TEST(RegistrationEnergy, NothingOutsideTheMaskCounts) {
  const Shape shape{1, 12, 14, 16, 3};
  const Values atlas = blobs(shape, 1);
  Values image = atlas;
  Values mask(image.size(), 1.0F);
  for (std::size_t i = 0; i < image.size() / 2; ++i) {
    image[i] = 1 - image[i];
    mask[i] = 0;
  }
  Config config;
  config.loss.similarity = SimilarityKind::mse;
  RegistrationEnergy seen(config, shape, {1, 1, 1}, {atlas, image, mask});
  const Shape grid = seen.velocity_shape();
  const Values still(static_cast<std::size_t>(3 * grid.voxels()), 0.0F);
  EXPECT_NEAR(seen(still.data(), nullptr), 0, 1e-12);
  RegistrationEnergy all(config, shape, {1, 1, 1}, {atlas, image, {}});
  EXPECT_GT(all(still.data(), nullptr), 0.01);
}

}  // namespace
}  // namespace aladdin
