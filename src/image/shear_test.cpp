// Images whose axes are not at right angles: read as their files say, resampled from, never written where no program could
// read them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "aladdin/image/io.h"
#include "aladdin/image/resample.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using namespace testing;
using ::testing::HasSubstr;

// A gantry tilt of some 15 degrees, oblique and anisotropic.
Grid tilted() {
  Grid grid;
  grid.size = {14, 12, 10};
  grid.spacing = {0.9, 1.1, 2.4};
  grid.origin = {-11, 9, 4};
  const double a = 0.3, tilt = 0.26;
  grid.direction = {{{std::cos(a), -std::sin(a), 0},
                     {std::sin(a), std::cos(a), std::sin(tilt)},
                     {0, 0, std::cos(tilt)}}};
  return grid;
}
Grid straight() {
  Grid grid;
  grid.size = {9, 8, 7};
  grid.spacing = {0.8, 0.8, 1.5};
  grid.origin = tilted().centre() - Vec3{3, 3, 4};
  return grid;
}

// Linear in the world, so that linear interpolation gives it exactly wherever it is asked.
double value_at(const Vec3& point) { return 50 + 2 * point[0] - 3 * point[1] + 1.5 * point[2]; }

Image painted(const Grid& grid) {
  Image image(grid);
  std::size_t v = 0;
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i)
        image.values[v++] = static_cast<float>(value_at(grid.to_point(
            {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)})));
  return image;
}

TEST(Shear, ComesBackFromNifti) {
  const TemporaryFolder folder;
  for (const char* name : {"a.nii", "a.nii.gz"}) {
    write_image(folder / name, painted(tilted()));
    const ImageHeader header = read_header(folder / name);
    EXPECT_TRUE(is_sheared(header.grid));
    EXPECT_TRUE(same_grid(header.grid, tilted()));
    EXPECT_THAT(header.note, HasSubstr("its axes are sheared, by up to 14"));
  }
  const std::string bytes = read_text(folder / "a.nii");
  std::int16_t qform;
  std::memcpy(&qform, bytes.data() + 252, sizeof qform);
  EXPECT_EQ(qform, 0);  // which could not say it
}

// A scanner's sform says more than a qform can; one that is a template's does not count beside it, as ever.
TEST(Shear, TheSformOfAScannerCountsBesideAQform) {
  const TemporaryFolder folder;
  write_image(folder / "a.nii", painted(tilted()));
  const std::string bytes = read_text(folder / "a.nii");
  for (const std::int16_t code : {1, 4}) {
    std::string other = bytes;
    const std::int16_t one = 1;
    std::memcpy(other.data() + 252, &one, sizeof one);
    std::memcpy(other.data() + 254, &code, sizeof code);
    write_bytes(folder / "b.nii", other);
    EXPECT_EQ(is_sheared(read_header(folder / "b.nii").grid), code == 1);
  }
}

TEST(Shear, IsResampledRightly) {
  const Image there = resample(painted(tilted()), straight());
  const Image expected = painted(straight());
  for (std::size_t v = 0; v < expected.values.size(); ++v)
    EXPECT_NEAR(there.values[v], expected.values[v], 1e-3);
}

// The label of the nearest voxel, looked for among all.
TEST(Shear, LabelsAreResampledRightly) {
  Labels labels(tilted());
  for (std::size_t v = 0; v < labels.values.size(); ++v)
    labels.values[v] = painted(tilted()).values[v] > 50 ? 2 : 1;
  const Labels there = resample(labels, straight());
  int checked = 0;
  for (std::int64_t k = 0; k < 7; ++k)
    for (std::int64_t j = 0; j < 8; ++j)
      for (std::int64_t i = 0; i < 9; ++i) {
        const double value = value_at(straight().to_point({double(i), double(j), double(k)}));
        if (std::abs(value - 50) < 6) continue;  // a voxel of the border
        EXPECT_EQ(there.at(i, j, k), value > 50 ? 2 : 1);
        ++checked;
      }
  EXPECT_GT(checked, 100);
}

TEST(Shear, TextHeadersAreReadToo) {
  const TemporaryFolder folder;
  write_bytes(folder / "shear.nrrd",
              "NRRD0004\ntype: uchar\ndimension: 3\nspace: left-posterior-superior\n"
              "sizes: 2 2 2\nspace directions: (1,0,0) (0.6,0.8,0) (0,0,1)\n"
              "space origin: (0,0,0)\nencoding: raw\n\n01234567");
  const Grid grid = read_header(folder / "shear.nrrd").grid;
  EXPECT_LT(norm(grid.to_point({0, 1, 0}) - Vec3{0.6, 0.8, 0}), 1e-6);
}

TEST(Shear, IsNotWrittenWhereNothingReadsIt) {
  const TemporaryFolder folder;
  for (const char* name : {"a.nrrd", "a.mha", "a.mgz"})
    EXPECT_THAT(error_of([&] { write_image(folder / name, painted(tilted())); }),
                HasSubstr("whose axes are sheared"));
  EXPECT_THAT(error_of([&] { write_vectors(folder / "v.nii", VectorImage(tilted())); }),
              HasSubstr("choose a grid at right angles"));
}

}  // namespace
}  // namespace aladdin
