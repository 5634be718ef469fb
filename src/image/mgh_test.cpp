// FreeSurfer's and MRtrix3's volumes, volumes by index, NaN, and names of what is not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using namespace testing;
using ::testing::HasSubstr;

template <class T>
std::string big_endian(T value) {
  std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

// As FreeSurfer's documentation has it.
std::string mgh(const Size3& size, int frames, int type, bool placed, const Vec3& spacing,
                const Mat3& axes, const Vec3& middle, const std::string& voxels) {
  std::string bytes = big_endian<std::int32_t>(1);
  for (const auto n : size) bytes += big_endian(static_cast<std::int32_t>(n));
  bytes += big_endian<std::int32_t>(frames) + big_endian<std::int32_t>(type) +
           big_endian<std::int32_t>(0) + big_endian<std::int16_t>(placed);
  for (const double s : spacing) bytes += big_endian(static_cast<float>(s));
  for (const auto& axis : axes)
    for (const double c : axis) bytes += big_endian(static_cast<float>(c));
  for (const double c : middle) bytes += big_endian(static_cast<float>(c));
  bytes.resize(284, '\0');
  return bytes + voxels + big_endian(2.5F) + "tags that nobody reads";
}

// Conformed: LIA, the index 128 at c_ras.
TEST(Mgh, IsReadAsFreesurferMeansIt) {
  const TemporaryFolder folder;
  std::string voxels;
  for (int v = 0; v < 24; ++v) voxels += big_endian(static_cast<std::int16_t>(v - 5));
  write_bytes(folder / "a.mgh", mgh({4, 3, 2}, 1, 4, true, {1, 2, 3},
                                    {{{-1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}, {10, 20, 30}, voxels));
  const ImageHeader header = read_header(folder / "a.mgh");
  EXPECT_EQ(header.format, "MGH");
  EXPECT_EQ(header.type, "int16");
  EXPECT_EQ(axis_codes(header.grid), "LIA");
  // RAS (10, 20, 30) is the point of the index (2, 1.5, 1).
  EXPECT_LT(norm(header.grid.to_point({2, 1.5, 1}) - Vec3{-10, -20, 30}), 1e-5);
  EXPECT_LT(norm(header.grid.to_point({3, 1.5, 1}) - Vec3{-9, -20, 30}), 1e-5);
  EXPECT_LT(norm(header.grid.to_point({2, 2.5, 1}) - Vec3{-10, -20, 28}), 1e-5);
  const Image image = read_image(folder / "a.mgh");
  for (int v = 0; v < 24; ++v) EXPECT_EQ(image.values[v], v - 5);
}

TEST(Mgh, WithoutAPlaceIsNoted) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.mgh",
              mgh({4, 3, 2}, 1, 0, false, {9, 9, 9}, kIdentity3, {7, 7, 7}, std::string(24, 'x')));
  const ImageHeader header = read_header(folder / "a.mgh");
  EXPECT_THAT(header.note, HasSubstr("taken as L, I and A"));
  EXPECT_EQ(axis_codes(header.grid), "LIA");
  EXPECT_EQ(header.grid.spacing, (Vec3{1, 1, 1}));
}

TEST(Mgh, ImagesAndLabelsComeBack) {
  const TemporaryFolder folder;
  Grid grid;
  grid.size = {7, 6, 5};
  grid.spacing = {0.8, 1.3, 2.5};
  grid.origin = {-73.5, 41.25, 118};
  grid.direction = {{{0.8, -0.6, 0}, {0.6, 0.8, 0}, {0, 0, -1}}};
  for (const char* name : {"a.mgz", "a.mgh", "a.mgh.gz"}) {
    write_image(folder / name, ramp(grid));
    const Image back = read_image(folder / name);
    EXPECT_TRUE(same_grid(back.grid, grid, 1e-4)) << name;
    EXPECT_EQ(back.values, ramp(grid).values) << name;
    for (const std::int32_t most : {200, 300, 32767, 40000, 100000}) {
      Labels labels(grid, 3);
      labels.values[17] = most;
      write_labels(folder / name, labels);
      EXPECT_EQ(read_labels(folder / name).values, labels.values) << name;
    }
  }
  Grid slice = grid;
  slice.dims = 2;
  slice.size[2] = 1;
  slice.origin[2] = 0;
  slice.spacing[2] = 1;
  slice.direction[2] = {0, 0, 1};
  write_image(folder / "s.mgz", ramp(slice));
  EXPECT_TRUE(same_grid(read_image(folder / "s.mgz").grid, slice, 1e-4));
  EXPECT_THAT(error_of([&] { write_vectors(folder / "v.mgz", VectorImage(grid)); }),
              HasSubstr("cannot hold vectors"));
}

TEST(Mgh, WarpsAndUnknownTypesAreNamed) {
  const TemporaryFolder folder;
  std::string warp =
      mgh({2, 2, 2}, 3, 3, true, {1, 1, 1}, kIdentity3, {0, 0, 0}, std::string(96, '\0'));
  warp[2] = 1;  // the version 0x101
  write_bytes(folder / "warp.mgz", warp);
  EXPECT_THAT(error_of([&] { read_header(folder / "warp.mgz"); }),
              HasSubstr("a warp of FreeSurfer"));
  write_bytes(folder / "odd.mgz",
              mgh({2, 2, 2}, 1, 6, true, {1, 1, 1}, kIdentity3, {0, 0, 0}, "12345678"));
  EXPECT_THAT(error_of([&] { read_image(folder / "odd.mgz"); }),
              HasSubstr("FreeSurfer data type 6"));
}

TEST(Volumes, OneIsTakenByItsIndex) {
  const TemporaryFolder folder;
  Grid grid;
  grid.size = {4, 3, 2};
  std::vector<float> values(24 * 5);
  for (std::size_t v = 0; v < values.size(); ++v) values[v] = static_cast<float>(v);
  write_volumes(folder / "f.nii.gz", grid, values);
  write_volumes(folder / "f.nii", grid, values);
  write_volumes(folder / "f.mif", grid, values);
  std::string voxels;
  for (const float value : values) voxels += big_endian(value);
  write_bytes(folder / "f.mgh",
              mgh({4, 3, 2}, 5, 3, true, {1, 1, 1}, kIdentity3, {0, 0, 0}, voxels));
  for (const char* name : {"f.nii.gz", "f.nii", "f.mif", "f.mgh"}) {
    const std::string file = (folder / name).string();
    for (const int n : {0, 2, 4}) {
      const Image one = read_image(file + "," + std::to_string(n));
      EXPECT_EQ(one.values.size(), 24U);
      EXPECT_EQ(one.values[7], 24 * n + 7) << name;
      EXPECT_EQ(read_labels(file + "," + std::to_string(n)).values[7], 24 * n + 7) << name;
      EXPECT_TRUE(same_grid(read_header(file + "," + std::to_string(n)).grid, one.grid));
    }
    EXPECT_EQ(file_of_image(file + ",2"), folder / name);
    EXPECT_THAT(error_of([&] { read_image(file); }), HasSubstr("name one of its volumes"));
    EXPECT_THAT(error_of([&] { read_image(file + ",5"); }),
                HasSubstr("has 5 volumes, expected one of 0 to 4, not 5"));
    EXPECT_THAT(error_of([&] { read_image(file + ",-1"); }), HasSubstr("not -1"));
    EXPECT_EQ(read_volumes(file).size(), 5U);
  }
  write_image(folder / "one.nii", ramp(grid));
  EXPECT_EQ(read_image((folder / "one.nii").string() + ",0").values, ramp(grid).values);
  write_image(folder / "a,1.nii", ramp(grid));
  EXPECT_EQ(read_image(folder / "a,1.nii").values, ramp(grid).values);
  write_image(folder / "n.nrrd", ramp(grid));
  EXPECT_THAT(error_of([&] { read_image((folder / "n.nrrd").string() + ",0"); }),
              HasSubstr("has no volumes to choose from"));
}

TEST(Nan, CountsAsZeroOnRequest) {
  const TemporaryFolder folder;
  Grid grid;
  grid.size = {4, 3, 2};
  Image image = ramp(grid);
  image.values[5] = std::numeric_limits<float>::quiet_NaN();
  write_image(folder / "n.nii", image);
  EXPECT_THAT(error_of([&] { read_image(folder / "n.nii"); }), HasSubstr("nan zero"));
  set_nan_policy(NanPolicy::zero);
  EXPECT_EQ(read_image(folder / "n.nii").values[5], 0);
  EXPECT_EQ(read_labels(folder / "n.nii").values[5], 0);
  image.values[6] = std::numeric_limits<float>::infinity();
  write_image(folder / "n.nii", image);
  EXPECT_THAT(error_of([&] { read_image(folder / "n.nii"); }), HasSubstr("NaN or infinite"));
  set_nan_policy(NanPolicy::refuse);
}

TEST(Names, WhatCannotBeReadIsNamed) {
  const TemporaryFolder folder;
  for (const auto& [name, words] : {std::pair("a.dcm.gz", "a gzipped DICOM file"),
                                    {"a.mih", "the header of an MRtrix3 image"},
                                    {"a+orig.BRIK.gz", "an image of AFNI"}}) {
    write_bytes(folder / name, "some bytes");
    EXPECT_THAT(error_of([&] { read_header(folder / name); }), HasSubstr(words));
    EXPECT_THAT(error_of([&] { read_image(folder / name); }), HasSubstr(words));
  }
}

}  // namespace
}  // namespace aladdin
