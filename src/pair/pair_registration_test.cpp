#include "aladdin/pair/pair_registration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/core/parallel.h"
#include "aladdin/image/test_files.h"
#include "aladdin/pair/test_scene.h"
#include "aladdin/transform/pull_back.h"
#include "aladdin/transform/test_fields.h"

namespace aladdin {
namespace {

using testing::around_scene;
using ::testing::HasSubstr;
using testing::view;

// A known deformation: fixed points to moving points, an affine map behind a smooth field.
Chain truth_of(int dims) {
  const Grid grid = around_scene(dims);
  return {testing::smooth_field(grid, dims == 2 ? 3 : 4, 1, 5), rotation(2, 0.2, {0, 0, 0}, dims)};
}

double mean_error(const Chain& a, const Chain& b, int dims, double most_x = 18) {
  std::vector<Vec3> p;
  for (double x = -18; x <= most_x; x += 3)
    for (double y = -13; y <= 13; y += 3)
      for (double z = dims == 2 ? 0 : -9; z <= (dims == 2 ? 0 : 9); z += 3) p.push_back({x, y, z});
  std::vector<Vec3> q = p;
  map_points(a, p);
  map_points(b, q);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += norm(p[i] - q[i]);
  return sum / double(p.size());
}

TEST(PairRegistration, ADeformationIsRecoveredAcrossGrids) {
  for (const int dims : {2, 3}) {
    const Chain truth = truth_of(dims);
    Grid other = around_scene(dims, 1.7);
    other.direction = rotation(2, 0.4, {0, 0, 0}, dims).matrix;
    other.origin = other.direction * other.origin;
    const Image fixed = view(around_scene(dims), truth), moving = view(other);
    const PairRegistration found = register_pair({fixed}, {moving});
    PairOptions affine;
    affine.kind = PairKind::affine;
    const double before =
                     mean_error(register_pair({fixed}, {moving}, affine).to_moving(), truth, dims),
                 after = mean_error(found.to_moving(), truth, dims);
    EXPECT_GT(before, 0.7) << dims;
    EXPECT_LT(after, 0.5 * before) << dims;
    // There and back again.
    Chain round = found.to_moving();
    for (const auto& t : found.to_fixed()) round.push_back(t);
    EXPECT_LT(mean_error(round, {}, dims), 0.02) << dims;
  }
}

TEST(PairRegistration, WhatTheMovingImageDoesNotShowDoesNotPull) {
  const Chain truth{rotation(2, 0.1)};
  Grid half = around_scene(3);
  half.size[0] = 24;  // 48 of 80 mm
  const Image fixed = view(around_scene(3), truth), moving = view(half);
  const PairRegistration found = register_pair({fixed}, {moving});
  EXPECT_LT(mean_error(found.to_moving(), truth, 3, 4), 0.3);
}

TEST(PairRegistration, AMaskOfEitherImageKeepsALesionOut) {
  const Chain truth = truth_of(3);
  const Image fixed = view(around_scene(3), truth), moving = view(around_scene(3));
  const auto damaged = [](Image image, Labels* mask) {
    for (std::int64_t k = 16; k < 23; ++k)
      for (std::int64_t j = 16; j < 23; ++j)
        for (std::int64_t i = 22; i < 29; ++i) {
          image.at(i, j, k) = 0;
          if (mask) mask->at(i, j, k) = 0;
        }
    return image;
  };
  const double sound = mean_error(register_pair({fixed}, {moving}).to_moving(), truth, 3);
  for (const bool of_fixed : {true, false}) {
    Labels mask(around_scene(3), 1);
    const Image bad = damaged(of_fixed ? fixed : moving, &mask);
    const auto error = [&](const Labels* m) {
      const PairImage hurt{bad, m};
      return mean_error(
          (of_fixed ? register_pair(hurt, {moving}) : register_pair({fixed}, hurt)).to_moving(),
          truth, 3);
    };
    const double masked = error(&mask), plain = error(nullptr);
    EXPECT_LT(masked - sound, 0.5 * (plain - sound)) << of_fixed << " " << masked << " " << plain;
    EXPECT_GT(plain, sound + 0.2) << of_fixed;
  }
}

TEST(PairRegistration, HasTheSameBitsForAnyNumberOfThreads) {
  const Image fixed = view(around_scene(3, 4), truth_of(3)), moving = view(around_scene(3, 3));
  std::vector<std::vector<float>> found;
  for (const int n : {1, 2}) {
    set_threads(n);
    found.push_back(register_pair({fixed}, {moving}).velocity->vectors.values);
  }
  set_threads(0);
  EXPECT_EQ(found[0], found[1]);
}

TEST(PairRegistration, UnusableImagesAreRefused) {
  const Grid grid = around_scene(3, 5);
  const Image image = view(grid), flat = view(around_scene(2));
  const Labels mask(around_scene(3, 4), 1);
  const auto refusal = [&](const PairImage& fixed, const PairImage& moving) {
    return testing::error_of([&] { register_pair(fixed, moving); });
  };
  EXPECT_THAT(refusal({image, nullptr, "f.nii"}, {flat, nullptr, "m.nii"}),
              HasSubstr("'m.nii' is 2-D, but 'f.nii' is 3-D"));
  EXPECT_THAT(refusal({image, &mask, "f.nii"}, {image}), HasSubstr("the mask of 'f.nii' is"));
  EXPECT_THAT(refusal({image}, {Image(grid, 2), nullptr, "m.nii"}),
              HasSubstr("'m.nii' is constant"));
  Image leaning = image;
  leaning.grid.direction[0][1] = 0.2;
  EXPECT_THAT(refusal({leaning, nullptr, "f.nii"}, {image}), HasSubstr("not at right angles"));
}

}  // namespace
}  // namespace aladdin
