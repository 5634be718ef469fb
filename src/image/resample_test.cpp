#include "aladdin/image/resample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "aladdin/core/parallel.h"
#include "aladdin/core/rng.h"
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

// The largest difference; infinite where one of the two is not a number, since NaN passes for less
// than everything in std::max.
double worst_difference(const Image& a, const Image& b) {
  double worst = 0;
  for (std::size_t v = 0; v < a.values.size(); ++v) {
    const double difference = std::abs(static_cast<double>(a.values[v]) - b.values[v]);
    worst = std::isfinite(difference) ? std::max(worst, difference)
                                      : std::numeric_limits<double>::infinity();
    if (std::isinf(worst)) return worst;
  }
  return worst;
}

// Canonical axes, strictly inside, off the voxels.
Grid inner_grid(const Grid& grid, double spacing, double margin) {
  Grid target;
  target.spacing = {spacing, spacing, spacing};
  const Vec3 extent = transpose(grid.direction) * grid.extent_mm();
  for (int axis = 0; axis < 3; ++axis)
    target.size[axis] = static_cast<std::int64_t>((std::abs(extent[axis]) - margin) / spacing);
  target.origin = grid.centre() - (target.centre() - target.origin);
  return target;
}

// The same image in the world, stored with axis n along axis order[n] of `image`, backwards where
// the bit n of `flips` is set.
Image reordered(const Image& image, const std::array<int, 3>& order, int flips) {
  const Grid& from = image.grid;
  Grid grid;
  Vec3 first{};
  for (int n = 0; n < 3; ++n) {
    const double sign = flips >> n & 1 ? -1 : 1;
    grid.size[n] = from.size[order[n]];
    grid.spacing[n] = from.spacing[order[n]];
    for (int row = 0; row < 3; ++row) grid.direction[row][n] = sign * from.direction[row][order[n]];
    if (sign < 0) first[order[n]] = static_cast<double>(from.size[order[n]] - 1);
  }
  grid.origin = from.to_point(first);
  Image out(grid);
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const Size3 index{v % grid.size[0], v / grid.size[0] % grid.size[1],
                      v / grid.size[0] / grid.size[1]};
    Size3 source;
    for (int n = 0; n < 3; ++n)
      source[order[n]] = flips >> n & 1 ? grid.size[n] - 1 - index[n] : index[n];
    out.values[v] = image.at(source[0], source[1], source[2]);
  }
  return out;
}

TEST(Resample, NotANumberIsADifference) {
  Image a{Grid{3, {2, 2, 2}}}, b = a;
  EXPECT_EQ(worst_difference(a, b), 0);
  b.values[0] = NAN;
  EXPECT_TRUE(std::isinf(worst_difference(a, b)));
}

// Through files too: one oblique volume in all 48 orders of its axes is one image in the world.
TEST(Resample, All48OrdersOfASyntheticVolumeAreOneImage) {
  const testing::TemporaryFolder folder;
  Image image{oblique()};
  Rng rng(3);
  for (auto& value : image.values) value = static_cast<float>(rng.uniform());
  Grid target;
  target.size = {7, 6, 9};
  target.spacing = {0.9, 0.8, 1.1};
  target.origin = image.grid.centre() - (target.centre() - target.origin) + Vec3{0.1, 0.2, 0.3};
  const Image expected = resample(image, target);
  ASSERT_GT(*std::max_element(expected.values.begin(), expected.values.end()), 0.5F);
  std::set<std::string> codes;
  std::array<int, 3> order{0, 1, 2};
  do {
    for (int flips = 0; flips < 8; ++flips) {
      write_image(folder / "x.nii", reordered(image, order, flips));
      const Image back = read_image(folder / "x.nii");
      codes.insert(axis_codes(back.grid));
      EXPECT_LT(worst_difference(resample(back, target), expected), 1e-4) << describe(back.grid);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(codes.size(), 48U);
}

// One head in all 48 orders of the axes: the same image in the world.
TEST(Resample, All48OrientationsAreOneImage) {
  const Path data = Path(ALADDIN_SHARED_DATA) / "orientations";
  if (!std::filesystem::exists(data)) GTEST_SKIP() << "no data in " << data;
  const Image reference = read_image(data / "LPS.nii.gz");
  const Grid target = inner_grid(reference.grid, 2.3, 8);
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
    worst[n] = worst_difference(image, expected);
  });
  for (int n = 0; n < 48; ++n) {
    EXPECT_EQ(axis_codes(read_header(files[n]).grid), stem_of(files[n]));
    EXPECT_LT(worst[n], 1e-3 * (*high - *low)) << files[n];
  }
}

TEST(FieldOfView, IsWhereResamplingFindsValues) {
  const Grid source = oblique();
  Grid target = source;
  target.size = {20, 9, 11};
  const Vec3 shift = source.index_to_point() * Vec3{1.5, -0.3, 2};
  const Labels seen = field_of_view(source, target, shift);
  const Image found = resample(Image(source, 1), target, shift, 0);
  for (std::int64_t v = 0; v < target.voxels(); ++v)
    ASSERT_EQ(seen.values[v] != 0, found.values[v] != 0) << v;
  EXPECT_FALSE(covers(source, target, shift));
  EXPECT_TRUE(covers(source, source));
  target.size = {3, 4, 5};
  EXPECT_TRUE(covers(source, target, shift));
}

}  // namespace
}  // namespace aladdin
