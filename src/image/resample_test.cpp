#include "aladdin/image/resample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/core/parallel.h"
#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

Grid oblique() {
  Grid grid;
  grid.size = {17, 9, 13};
  grid.spacing = {0.7, 1.3, 2.0};
  grid.origin = {-12.34567, 40.1, 3.3};
  const double a = 0.4;
  grid.direction = {{{std::cos(a), 0, std::sin(a)}, {0, -1, 0}, {-std::sin(a), 0, std::cos(a)}}};
  return grid;
}

// A function that linear interpolation reproduces exactly.
float plane(const Vec3& p) {
  return static_cast<float>(3 + 0.5 * p[0] - 0.25 * p[1] + 0.125 * p[2]);
}

Image plane_image(const Grid& grid) {
  Image image(grid);
  for (std::int64_t v = 0; v < grid.voxels(); ++v)
    image.values[v] = plane(grid.to_point({static_cast<double>(v % grid.size[0]),
                                           static_cast<double>(v / grid.size[0] % grid.size[1]),
                                           static_cast<double>(v / grid.size[0] / grid.size[1])}));
  return image;
}

TEST(Resample, TheIdentityReturnsTheSameBits) {
  Image image = testing::ramp(oblique());
  for (auto& value : image.values) value = std::sqrt(value) * 1e5F;
  EXPECT_EQ(resample(image, image.grid).values, image.values);
  // A shift by whole voxels moves bits, with the outside filled in.
  const Vec3 shift = image.grid.index_to_point() * Vec3{2, 0, -1};
  const Image moved = resample(image, image.grid, shift, -7);
  EXPECT_EQ(moved.at(3, 4, 5), image.at(5, 4, 4));
  EXPECT_EQ(moved.at(16, 4, 5), -7.F);
  EXPECT_EQ(moved.at(3, 4, 0), -7.F);
}

TEST(Resample, APlaneIsReproducedOnAnyGrid) {
  const Image image = plane_image(oblique());
  Grid target;
  target.size = {6, 7, 8};
  target.spacing = {0.4, 0.5, 0.6};
  target.origin = image.grid.centre() - Vec3{1, 1.5, 2} - Vec3{5, 6, 7};
  const Image out = resample(image, target, {5, 6, 7});
  for (std::int64_t k = 0; k < 8; ++k)
    for (std::int64_t j = 0; j < 7; ++j)
      for (std::int64_t i = 0; i < 6; ++i)
        ASSERT_NEAR(out.at(i, j, k),
                    plane(target.to_point({1. * i, 1. * j, 1. * k}) + Vec3{5, 6, 7}), 1e-4);
}

TEST(Resample, TheBorderIsContinuedForHalfAVoxel) {
  Grid grid{2, {3, 1, 1}};
  Image image(grid);
  image.values = {1, 2, 3};
  Grid fine = grid;
  fine.size = {5, 1, 1};
  fine.spacing[0] = 0.5;
  fine.origin[0] = 1.5;
  EXPECT_THAT(resample(image, fine, {0, 0, 0}, 9).values, ::testing::ElementsAre(2.5, 3, 3, 9, 9));
}

TEST(Resample, CoarseGridsDoNotAlias) {
  Grid grid{2, {64, 8, 1}};
  Image stripes(grid);
  for (std::int64_t v = 0; v < grid.voxels(); ++v) stripes.values[v] = v % 2 == 0 ? 0.F : 1.F;
  Grid half = grid;
  half.size = {32, 8, 1};
  half.spacing[0] = 2;
  const Image out = resample(stripes, half);  // every second voxel: without smoothing all 0
  for (std::int64_t i = 3; i < 29; ++i) EXPECT_NEAR(out.at(i, 4), 0.5, 0.08) << i;
  half.spacing[0] = 1.2;
  EXPECT_EQ(resample(stripes, half).at(0, 0), 0.F);  // not coarse: untouched
}

TEST(Resample, LabelsVoteAndTiesGoToTheSmaller) {
  Grid grid{2, {4, 1, 1}};
  Labels labels(grid);
  labels.values = {7, 7, 300, 300};
  Grid fine = grid;
  fine.size = {5, 1, 1};
  fine.spacing[0] = 0.25;
  fine.origin[0] = 1;
  EXPECT_THAT(resample(labels, fine).values, ::testing::ElementsAre(7, 7, 7, 300, 300));
  Grid coarse = grid;
  coarse.size = {2, 1, 1};
  coarse.spacing[0] = 3;
  coarse.origin[0] = 1;  // covers 0..2, then 3..5
  EXPECT_THAT(resample(labels, coarse, {0, 0, 0}, 5).values, ::testing::ElementsAre(7, 5));
  const Labels same = resample(labels, grid);
  EXPECT_EQ(same.values, labels.values);
}

TEST(Resample, DownsampledLabelsKeepTheirVolume) {
  Labels ball{Grid{3, {40, 40, 40}}};
  std::int64_t before = 0;
  for (std::int64_t v = 0; v < ball.grid.voxels(); ++v) {
    const Vec3 p{v % 40 - 19.5, v / 40 % 40 - 19.5, v / 1600 - 19.5};
    before += ball.values[v] = norm(p) < 15;
  }
  Grid half = ball.grid;
  half.size = {20, 20, 20};
  half.spacing = {2, 2, 2};
  half.origin = {0.5, 0.5, 0.5};
  const Labels out = resample(ball, half);
  const auto after = 8 * std::count(out.values.begin(), out.values.end(), 1);
  EXPECT_NEAR(static_cast<double>(after) / static_cast<double>(before), 1, 0.02);
}

TEST(Resample, SameBitsForAnyNumberOfThreads) {
  const Image image = testing::ramp(oblique());
  Grid target = oblique();
  target.origin = target.origin + Vec3{0.3, -0.4, 0.1};
  target.spacing = {1.5, 1.1, 1.7};
  set_threads(1);
  const Image one = resample(image, target);
  set_threads(3);
  const Image three = resample(image, target);
  set_threads(0);
  EXPECT_EQ(one.values, three.values);
}

TEST(Resample, DimensionsMustAgree) {
  const Image flat(Grid{2, {3, 3, 1}});
  EXPECT_THAT(testing::error_of([&] { resample(flat, Grid{}); }),
              ::testing::HasSubstr("a 2-D image cannot be resampled to a 3-D grid"));
}

TEST(Resample, NearestAxes) {
  EXPECT_THAT(nearest_axes(Grid{}), ::testing::ElementsAre(0, 1, 2));
  Grid grid;
  grid.direction = {{{0, 0, 1}, {-1, 0, 0}, {0, 1, 0}}};
  EXPECT_THAT(nearest_axes(grid), ::testing::ElementsAre(2, 0, 1));
}

// One head in all 48 orders of the axes: the same image in the world.
TEST(Resample, All48OrientationsAreOneImage) {
  const Path data = Path(ALADDIN_SHARED_DATA) / "orientations";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "no data in " << data;
  const Image reference = read_image(data / "LPS.nii.gz");
  Grid target;  // strictly inside, off the voxels, canonical axes
  target.spacing = {2.3, 2.3, 2.3};
  const Vec3 extent = transpose(reference.grid.direction) * reference.grid.extent_mm();
  for (int axis = 0; axis < 3; ++axis)
    target.size[axis] = static_cast<std::int64_t>((std::abs(extent[axis]) - 8) / 2.3);
  target.origin = reference.grid.centre() - (target.centre() - target.origin);
  const Image expected = resample(reference, target);
  const auto [low, high] = std::minmax_element(expected.values.begin(), expected.values.end());
  ASSERT_GT(*high, *low);
  std::vector<Path> files;
  for (const auto& entry : std::filesystem::directory_iterator(data))
    if (full_extension(entry.path()) == ".nii.gz") files.push_back(entry.path());
  ASSERT_EQ(files.size(), 48U);
  std::vector<double> worst(files.size());
  parallel_for(48, [&](std::int64_t n) {
    const Image native = read_image(files[n]);
    const Image image = resample(native, target);
    for (std::size_t v = 0; v < image.values.size(); ++v)
      worst[n] = std::max<double>(worst[n], std::abs(image.values[v] - expected.values[v]));
  });
  for (int n = 0; n < 48; ++n) {
    EXPECT_EQ(axis_codes(read_header(files[n]).grid), stem_of(files[n]));
    EXPECT_LT(worst[n], 1e-3 * (*high - *low)) << files[n];
  }
}

}  // namespace
}  // namespace aladdin
