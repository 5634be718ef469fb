#include "aladdin/measure/mask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"

namespace aladdin::measure {
namespace {

using ::testing::HasSubstr;
using Mask = std::vector<std::uint8_t>;

Grid cube() {
  Grid grid;
  grid.size = {16, 16, 16};
  return grid;
}

// A bright ball with a dark core, and a bright speck in a corner.
Image ball() {
  Image image(cube(), 10.0F);
  for (int k = 0; k < 16; ++k)
    for (int j = 0; j < 16; ++j)
      for (int i = 0; i < 16; ++i) {
        const int d = (i - 8) * (i - 8) + (j - 8) * (j - 8) + (k - 8) * (k - 8);
        if (d <= 36 && d > 4) image.at(i, j, k) = 100;
      }
  image.at(0, 0, 0) = 100;
  return image;
}

TEST(Mask, TheForegroundIsTheLargestPartWithItsHolesFilled) {
  const Image image = ball();
  const Mask mask = foreground(image, "ball");
  for (int k = 0; k < 16; ++k)
    for (int j = 0; j < 16; ++j)
      for (int i = 0; i < 16; ++i) {
        const int d = (i - 8) * (i - 8) + (j - 8) * (j - 8) + (k - 8) * (k - 8);
        EXPECT_EQ(mask[static_cast<std::size_t>(image.grid.offset(i, j, k))], d <= 36);
      }
}

TEST(Mask, TheForegroundDoesNotDependOnUnits) {
  Image image = ball();
  const Mask mask = foreground(image, "ball");
  for (float& value : image.values) value = 3 * value - 500;
  EXPECT_EQ(foreground(image, "ball"), mask);
}

class AtlasMask : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  evaluate::Source source_;

  Path write(const std::string& name, const Labels& labels) {
    write_labels(folder_ / name, labels);
    return folder_ / name;
  }
};

TEST_F(AtlasMask, IsTheLabelsIfThereAreAnyElseTheForeground) {
  Labels labels(cube());
  labels.values[5] = 3;
  write_image(folder_ / "atlas.nii", ball());
  source_.atlas = folder_ / "atlas.nii";
  EXPECT_EQ(atlas_mask(source_), foreground(ball(), "ball"));
  source_.segmentation = write("labels.nii", labels);
  const Mask mask = atlas_mask(source_);
  EXPECT_EQ(std::count(mask.begin(), mask.end(), 1), 1);
  EXPECT_EQ(mask[5], 1);
}

TEST_F(AtlasMask, NothingToAnalyseIsRefused) {
  EXPECT_THAT(testing::error_of([&] { atlas_mask(source_); }), HasSubstr("neither an image nor"));
  source_.segmentation = write("empty.nii", Labels(cube()));
  EXPECT_THAT(testing::error_of([&] { atlas_mask(source_); }), HasSubstr("nothing to analyse"));
  EXPECT_NE(testing::error_of([] { foreground(Image(cube(), 3), "flat"); }), "");
}

TEST_F(AtlasMask, AMaskOnAnotherGridIsRefused) {
  Grid other = cube();
  other.size[0] = 15;
  const Path path = write("mask.nii", Labels(other, 1));
  EXPECT_THAT(testing::error_of([&] { read_mask(path, cube()); }),
              HasSubstr("is not on the atlas grid: 15 x 16 x 16"));
  EXPECT_TRUE(read_mask("", source_).empty());
}

}  // namespace
}  // namespace aladdin::measure
