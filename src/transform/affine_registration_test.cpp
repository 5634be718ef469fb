#include "aladdin/transform/affine_registration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/core/parallel.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin {
namespace {

// Three blobs and a ramp: no symmetry that an affine map could hide in.
Image scene(const Grid& grid, double scale = 1, double offset = 0) {
  Image image(grid);
  const Vec3 c = grid.centre();
  const auto blob = [](const Vec3& d, double s) { return std::exp(-dot(d, d) / (2 * s * s)); };
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i) {
        const Vec3 p = grid.to_point({double(i), double(j), double(k)}) - c;
        const double z = grid.dims == 2 ? 0 : 1;
        const double v = blob(p, 9) + 0.8 * blob(p - Vec3{8, 3, -5 * z}, 4) +
                         0.6 * blob(p - Vec3{-7, 8, 6 * z}, 5) -
                         0.4 * blob(p - Vec3{2, -9, 3 * z}, 4);
        image.at(i, j, k) = static_cast<float>(scale * v + offset);
      }
  return image;
}

Grid grid_of(int dims) {
  Grid grid;
  grid.dims = dims;
  grid.size = {40, 44, dims == 3 ? 36 : 1};
  grid.spacing = {1.2, 1, dims == 3 ? 1.4 : 1};
  grid.origin = {-20, 5, dims == 3 ? 7.0 : 0};
  return grid;
}

Affine truth_of(const Grid& grid) {
  const Vec3 c = grid.centre();
  const Vec3 factors{1.1, 0.93, grid.dims == 3 ? 1.05 : 1.0};
  const Affine turned = compose(rotation(2, 0.15, c, grid.dims), scaling(factors, c, grid.dims));
  return compose(translation({2.5, -1.5, grid.dims == 3 ? 2.0 : 0.0}, grid.dims), turned);
}

double mean_corner_error(const Affine& a, const Affine& b, const Grid& grid) {
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p = grid.to_point({corner & 1 ? double(grid.size[0] - 1) : 0.0,
                                  corner & 2 ? double(grid.size[1] - 1) : 0.0,
                                  corner & 4 ? double(grid.size[2] - 1) : 0.0});
    sum += norm(a(p) - b(p)) / 8;
  }
  return sum;
}

class AffineRegistration : public testing::TestWithParam<int> {};

TEST_P(AffineRegistration, FindsAKnownMap) {
  const Grid grid = grid_of(GetParam());
  const Image moving = scene(grid);
  const Affine truth = truth_of(grid);
  const Image fixed = pull_back(moving, {truth}, grid);
  const Affine found = register_affine(fixed, moving, {.dims = grid.dims});
  EXPECT_LT(mean_corner_error(found, truth, grid), 0.2);
  EXPECT_GT(mean_corner_error(Affine{.dims = grid.dims}, truth, grid), 3);
}

TEST_P(AffineRegistration, WithNccAnyScaleOfTheIntensities) {
  const Grid grid = grid_of(GetParam());
  const Affine truth = truth_of(grid);
  const Image fixed = pull_back(scene(grid), {truth}, grid);
  const Affine found =
      register_affine(fixed, scene(grid, 0.4, 0.3), {.dims = grid.dims}, {.ncc = true});
  EXPECT_LT(mean_corner_error(found, truth, grid), 0.3);
}

TEST_P(AffineRegistration, OfAnImageWithItselfIsTheIdentity) {
  const Grid grid = grid_of(GetParam());
  const Image image = scene(grid);
  EXPECT_LT(mean_corner_error(register_affine(image, image, {.dims = grid.dims}),
                              {.dims = grid.dims}, grid),
            1e-9);
}

TEST_P(AffineRegistration, OfConstantImagesStaysWhereItStarts) {
  const Grid grid = grid_of(GetParam());
  const Affine start = truth_of(grid);
  const Affine found = register_affine(Image(grid, 0.5F), Image(grid, 0.2F), start);
  EXPECT_LT(mean_corner_error(found, start, grid), 1e-9);
}

TEST_P(AffineRegistration, SameBitsForAnyThreads) {
  const Grid grid = grid_of(GetParam());
  const Image moving = scene(grid), fixed = pull_back(moving, {truth_of(grid)}, grid);
  const int before = threads();
  set_threads(1);
  const Affine one = register_affine(fixed, moving, {.dims = grid.dims});
  set_threads(3);
  const Affine three = register_affine(fixed, moving, {.dims = grid.dims});
  set_threads(before);
  EXPECT_EQ(one.matrix, three.matrix);
  EXPECT_EQ(one.offset, three.offset);
}

INSTANTIATE_TEST_SUITE_P(Dims, AffineRegistration, testing::Values(2, 3));

}  // namespace
}  // namespace aladdin
