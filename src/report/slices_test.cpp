#include "aladdin/report/slices.h"

#include <gtest/gtest.h>

#include "aladdin/core/error.h"

namespace aladdin::report {
namespace {

// A dark volume, axes R P I, with one bright corner: left, posterior, superior of the patient.
Image corner_image() {
  Grid grid;
  grid.size = {8, 12, 16};
  grid.spacing = {2, 1, 1};
  grid.direction = {{{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}};
  grid.origin = {30, -5, 40};
  Image image(grid, 0.0F);
  for (int k = 0; k < 8; ++k)
    for (int j = 6; j < 12; ++j)
      for (int i = 0; i < 4; ++i) image.at(i, j, k) = 100.0F;
  return image;
}

SliceOptions plain(const Image& image) {
  SliceOptions options;
  options.captions = false;
  options.panel_px = 16;
  // Inside the bright corner, so that every plane cuts it.
  options.at_mm = image.grid.to_point({1, 9, 3});
  return options;
}

bool bright(const Picture& picture, int x, int y) { return picture.at(x, y)[0] > 200; }

// Panels: 4 px gaps; sagittal 12 x 16, coronal 16 x 16, axial 16 x 12 (centred in 16).
constexpr int kSagittal = 4, kCoronal = 20, kAxial = 40, kTop = 4;

TEST(Slices, HavePhysicalAspectAndRadiologicalSides) {
  const Image image = corner_image();
  const Picture picture = render_slices({{"a", &image, nullptr}}, plain(image));
  EXPECT_EQ(picture.width, 4 + 12 + 4 + 16 + 4 + 16 + 4);
  EXPECT_EQ(picture.height, 4 + 16 + 4);
  // Sagittal: posterior right, superior up.
  EXPECT_TRUE(bright(picture, kSagittal + 10, kTop + 2));
  EXPECT_FALSE(bright(picture, kSagittal + 1, kTop + 2));
  EXPECT_FALSE(bright(picture, kSagittal + 10, kTop + 13));
  // Coronal: the patient's left on the right.
  EXPECT_TRUE(bright(picture, kCoronal + 14, kTop + 2));
  EXPECT_FALSE(bright(picture, kCoronal + 2, kTop + 2));
  // Axial: posterior down.
  EXPECT_TRUE(bright(picture, kAxial + 14, kTop + 2 + 10));
  EXPECT_FALSE(bright(picture, kAxial + 14, kTop + 2 + 1));
}

TEST(Slices, NeurologicalSwapsSides) {
  const Image image = corner_image();
  SliceOptions options = plain(image);
  options.neurological = true;
  const Picture picture = render_slices({{"a", &image, nullptr}}, options);
  EXPECT_TRUE(bright(picture, kCoronal + 2, kTop + 2));
  EXPECT_FALSE(bright(picture, kCoronal + 14, kTop + 2));
}

TEST(Slices, LabelsAreTinted) {
  const Image image = corner_image();
  Labels labels(image.grid);
  labels.at(1, 9, 3) = 2;
  SliceOptions options = plain(image);
  options.opacity = 1.0;
  const Picture picture = render_slices({{"a", &image, &labels}}, options);
  const auto tinted = std::count(picture.pixels.begin(), picture.pixels.end(), label_colour(2));
  EXPECT_EQ(tinted, 1 + 2 + 2);  // a voxel is 2 x 1 x 1 mm and a pixel 1 mm
}

TEST(Slices, PlainTooShowsEachSliceTwice) {
  const Image image = corner_image();
  const Labels labels(image.grid, 2);
  SliceOptions options = plain(image);
  options.plain_too = true;
  options.opacity = 1.0;
  const Picture picture = render_slices({{"a", &image, &labels}}, options);
  EXPECT_EQ(picture.width, 4 + 2 * (12 + 4 + 16 + 4 + 16 + 4));
  EXPECT_TRUE(bright(picture, kSagittal + 10, kTop + 2));
  EXPECT_EQ(picture.at(picture.width - 10, kTop + 8), label_colour(2));
}

TEST(Slices, TwoDimensionsMakeOnePanel) {
  Grid grid;
  grid.dims = 2;
  grid.size = {10, 20, 1};
  Image image(grid);
  image.at(9, 0) = 1.0F;
  SliceOptions options;
  options.panel_px = 20;
  options.captions = false;
  const Picture picture = render_slices({{"a", &image, nullptr}}, options);
  EXPECT_EQ(picture.width, 4 + 10 + 4);
  EXPECT_TRUE(bright(picture, 4 + 9, 4));
}

TEST(Slices, CaptionsAreDrawn) {
  const Image image = corner_image();
  SliceOptions options = plain(image);
  options.captions = true;
  const Picture one = render_slices({{"a", &image, nullptr}}, options);
  const Picture other = render_slices({{"b", &image, nullptr}}, options);
  EXPECT_EQ(one.height, other.height);
  EXPECT_NE(one.pixels, other.pixels);
}

TEST(Slices, RefuseMixedDimensionsAndBadOptions) {
  const Image volume = corner_image();
  Grid flat;
  flat.dims = 2;
  flat.size = {4, 4, 1};
  const Image slice(flat);
  EXPECT_THROW(render_slices({{"a", &volume, nullptr}, {"b", &slice, nullptr}}, {}), Error);
  SliceOptions options;
  options.opacity = 1.5;
  EXPECT_THROW(options.validate(), Error);
}

}  // namespace
}  // namespace aladdin::report
