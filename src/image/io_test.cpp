#include "aladdin/image/io.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <itkImage.h>
#include <itkImageFileWriter.h>
#include <itkImportImageFilter.h>
#include <itkMetaImageIO.h>
#include <itkNiftiImageIO.h>
#include <itkNrrdImageIO.h>

#include <cmath>

#include "aladdin/image/itk_test_dicom.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using testing::Nifti1;
using testing::ramp;
using testing::TemporaryFolder;
using testing::write_dicom;

Grid oblique(int dims = 3) {
  Grid grid;
  grid.dims = dims;
  grid.size = {7, 5, dims == 3 ? 4 : 1};
  grid.spacing = {0.7, 1.25, dims == 3 ? 2.5 : 1.0};
  grid.origin = {-12.5, 40, dims == 3 ? 3.0 : 0.0};
  const double a = 0.3;
  grid.direction = {{{std::cos(a), -std::sin(a), 0}, {std::sin(a), std::cos(a), 0}, {0, 0, 1}}};
  if (dims == 3) grid.direction[2][2] = -1;  // a flipped axis
  return grid;
}

class EveryFormat : public ::testing::TestWithParam<const char*> {
 protected:
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Io, EveryFormat, ::testing::Values(".nii", ".nii.gz", ".nrrd", ".mha"),
                         [](const auto& test) {
                           std::string name = test.param + 1;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST_P(EveryFormat, ImagesComeBackWithTheirGeometry) {
  for (const int dims : {2, 3}) {
    const Image image = ramp(oblique(dims));
    const Path path = folder_ / fmt::format("image{}{}", dims, GetParam());
    write_image(path, image);
    const Image back = read_image(path);
    EXPECT_EQ(back.grid.dims, dims);
    EXPECT_TRUE(same_grid(back.grid, image.grid, 1e-4)) << describe(back.grid);
    EXPECT_EQ(back.values, image.values);
    EXPECT_EQ(read_header(path).type, "float32");
  }
}

TEST_P(EveryFormat, LabelsTakeTheSmallestTypeThatFits) {
  const std::pair<std::int32_t, const char*> cases[] = {
      {255, "uint8"}, {40000, "uint16"}, {70000, "int32"}};
  for (const auto& [largest, type] : cases) {
    Labels labels(oblique());
    labels.at(3, 2, 1) = largest;
    const Path path = folder_ / fmt::format("labels{}{}", largest, GetParam());
    write_labels(path, labels);
    EXPECT_EQ(read_header(path).type, type);
    EXPECT_TRUE(read_header(path).integer);
    EXPECT_EQ(read_labels(path).values, labels.values);
  }
}

TEST_P(EveryFormat, VectorsComeBack) {
  for (const int dims : {2, 3}) {
    VectorImage vectors(oblique(dims));
    for (std::size_t v = 0; v < vectors.values.size(); ++v)
      vectors.values[v] = static_cast<float>(v) - 20.5F;
    const Path path = folder_ / fmt::format("field{}{}", dims, GetParam());
    write_vectors(path, vectors);
    const VectorImage back = read_vectors(path);
    EXPECT_EQ(back.values, vectors.values);
    EXPECT_TRUE(same_grid(back.grid, vectors.grid, 1e-4));
    EXPECT_THAT(testing::error_of([&] { read_image(path); }),
                ::testing::HasSubstr("is it a displacement field?"));
  }
}

template <class T>
void every_type_is_read(itk::ImageIOBase* io, const Path& path) {
  using Volume = itk::Image<T, 3>;
  auto volume = Volume::New();
  volume->SetRegions(typename Volume::SizeType{{3, 4, 5}});
  volume->Allocate();
  for (int v = 0; v < 60; ++v) volume->GetBufferPointer()[v] = static_cast<T>(v + 60);
  auto writer = itk::ImageFileWriter<Volume>::New();
  writer->SetImageIO(io);
  writer->SetFileName(path.string());
  writer->SetInput(volume);
  writer->SetUseCompression(true);
  writer->Update();
  const Image image = read_image(path);
  ASSERT_EQ(image.values.size(), 60U);
  for (int v = 0; v < 60; ++v) ASSERT_EQ(image.values[v], static_cast<float>(v + 60)) << path << v;
}

TEST_P(EveryFormat, EveryScalarTypeIsRead) {
  const auto all = [&](auto make_io) {
    int n = 0;
    const auto next = [&] { return folder_ / fmt::format("type{}{}", n++, GetParam()); };
    every_type_is_read<unsigned char>(make_io(), next());
    every_type_is_read<signed char>(make_io(), next());
    every_type_is_read<unsigned short>(make_io(), next());
    every_type_is_read<short>(make_io(), next());
    every_type_is_read<unsigned int>(make_io(), next());
    every_type_is_read<int>(make_io(), next());
    every_type_is_read<unsigned long>(make_io(), next());
    every_type_is_read<long>(make_io(), next());
    every_type_is_read<float>(make_io(), next());
    every_type_is_read<double>(make_io(), next());
  };
  const std::string extension = GetParam();
  itk::ImageIOBase::Pointer keep;
  if (extension == ".nrrd") {
    all([&] { return (keep = itk::NrrdImageIO::New().GetPointer()).GetPointer(); });
  } else if (extension == ".mha") {
    all([&] { return (keep = itk::MetaImageIO::New().GetPointer()).GetPointer(); });
  } else {
    all([&] { return (keep = itk::NiftiImageIO::New().GetPointer()).GetPointer(); });
  }
}

TEST(Io, SlopeAndInterceptAreApplied) {
  const TemporaryFolder folder;
  Nifti1({2, 2, 2}, 4, 16)
      .set<float>(112, 0.5F)
      .set<float>(116, -10.F)
      .append<std::int16_t>({0, 1, 2, 3, -4, 5, 6, 700})
      .save(folder / "scaled.nii");
  EXPECT_THAT(read_image(folder / "scaled.nii").values,
              ::testing::ElementsAre(-10, -9.5, -9, -8.5, -12, -7.5, -7, 340));
  Nifti1({2, 2}, 2)
      .set<float>(112, 0.F)
      .set<float>(116, 7.F)
      .append<std::uint8_t>({1, 2, 3, 4})
      .save(folder / "zero.nii");
  EXPECT_THAT(read_image(folder / "zero.nii").values, ::testing::ElementsAre(1, 2, 3, 4));
}

TEST(Io, TheOtherByteOrderIsRead) {
  const TemporaryFolder folder;
  Nifti1 file({2, 2}, 4, 16);
  file.append<std::int16_t>({1, 2, 300, -4});
  auto& bytes = file.bytes;
  const auto flip = [&](std::size_t offset, std::size_t width, int count) {
    for (int n = 0; n < count; ++n, offset += width)
      std::reverse(bytes.begin() + static_cast<long>(offset),
                   bytes.begin() + static_cast<long>(offset + width));
  };
  flip(0, 4, 1), flip(40, 2, 8), flip(68, 2, 4), flip(76, 4, 8), flip(108, 4, 3), flip(252, 2, 2);
  flip(256, 4, 18), flip(352, 2, 4);
  file.save(folder / "big.nii");
  EXPECT_THAT(read_image(folder / "big.nii").values, ::testing::ElementsAre(1, 2, 300, -4));
}

// RAS index-to-world of a 90 degree turn about S with spacing 2, 3, 4: i -> A, j -> L, that is -R.
Nifti1 turned() {
  Nifti1 file({2, 3, 2});
  file.set<float>(80, 2).set<float>(84, 3).set<float>(88, 4);
  file.append(std::vector<std::uint8_t>(12, 1));
  return file;
}

void set_sform(Nifti1& file) {
  file.set<std::int16_t>(254, 1);
  const float rows[3][4] = {{0, -3, 0, 10}, {2, 0, 0, 20}, {0, 0, 4, 30}};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) file.set<float>(280 + 16 * r + 4 * c, rows[r][c]);
}

void set_qform(Nifti1& file) {
  file.set<std::int16_t>(252, 1).set<float>(264, std::sqrt(0.5F));  // d: half the turn
  file.set<float>(268, 10).set<float>(272, 20).set<float>(276, 30);
}

TEST(Io, QformAloneSformAloneAndBothAgree) {
  const TemporaryFolder folder;
  Nifti1 qform = turned(), sform = turned(), both = turned();
  set_qform(qform), set_sform(sform), set_qform(both), set_sform(both);
  for (const auto& [name, file] : {std::pair{"q.nii", qform}, {"s.nii", sform}, {"b.nii", both}}) {
    file.save(folder / name);
    const Grid grid = read_header(folder / name).grid;
    EXPECT_EQ(axis_codes(grid), "ALS") << name;
    EXPECT_NEAR(norm(grid.spacing - Vec3{2, 3, 4}), 0, 1e-5) << name;
    EXPECT_NEAR(norm(grid.origin - Vec3{-10, -20, 30}), 0, 1e-5) << name;
    EXPECT_NEAR(norm(grid.to_point({1, 2, 1}) - Vec3{-4, -22, 34}), 0, 1e-4) << name;
  }
}

std::string nifti2(bool sform, bool vectors = false) {
  std::string bytes(544, '\0');
  const auto set = [&](std::size_t offset, auto value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  };
  set(0, std::int32_t{540});
  std::memcpy(bytes.data() + 4, "n+2\0\r\n\032\n", 8);
  set(12, std::int16_t{16}), set(14, std::int16_t{32});
  const std::int64_t scalar[8] = {3, 2, 3, 2, 1, 1, 1, 1}, field[8] = {5, 2, 3, 2, 1, 3, 1, 1};
  for (int d = 0; d < 8; ++d) set(16 + 8 * d, vectors ? field[d] : scalar[d]);
  const double pixdim[8] = {1, 2, 3, 4, 1, 1, 1, 1};
  for (int d = 0; d < 8; ++d) set(104 + 8 * d, pixdim[d]);
  set(168, std::int64_t{544});
  set(176, 2.0), set(184, 1.0);  // 2 x + 1
  set(500, std::int32_t{2});
  if (vectors) set(504, std::int32_t{1007}), set(176, 0.0);
  if (sform) {
    const double rows[3][4] = {{0, -3, 0, 10}, {2, 0, 0, 20}, {0, 0, 4, 30}};
    set(348, std::int32_t{1});
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) set(400 + 32 * r + 8 * c, rows[r][c]);
  } else {
    set(344, std::int32_t{1}), set(368, std::sqrt(0.5));
    set(376, 10.0), set(384, 20.0), set(392, 30.0);
  }
  for (int v = 0; v < (vectors ? 36 : 12); ++v) {
    const auto value = static_cast<float>(v);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

TEST(Io, Nifti2IsRead) {
  const TemporaryFolder folder;
  for (const bool sform : {false, true}) {
    testing::write_bytes(folder / "two.nii", nifti2(sform));
    const Image image = read_image(folder / "two.nii");
    EXPECT_EQ(axis_codes(image.grid), "ALS");
    EXPECT_NEAR(norm(image.grid.to_point({1, 2, 1}) - Vec3{-4, -22, 34}), 0, 1e-9);
    EXPECT_EQ(image.at(1, 2, 1), 23.F);
    EXPECT_EQ(read_header(folder / "two.nii").type, "float32");
  }
  testing::write_bytes(folder / "field.nii", nifti2(true, true));
  const VectorImage field = read_vectors(folder / "field.nii");
  EXPECT_EQ(field.component(2)[5], 29.F);
}

TEST(Io, AnalyzeIsRead) {
  const TemporaryFolder folder;
  Nifti1 file({3, 2, 2}, 4, 16);
  file.set<std::int16_t>(68, 0);
  std::memset(file.bytes.data() + 344, 0, 4);
  file.set<float>(108, 0).set<char>(38, 'r');
  testing::write_bytes(folder / "old.hdr", file.bytes.substr(0, 348));
  Nifti1 voxels({1});
  voxels.bytes.clear();
  voxels.append<std::int16_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -11}).save(folder / "old.img");
  for (const char* name : {"old.hdr", "old.img"}) {
    const Image image = read_image(folder / name);
    EXPECT_EQ(format_size(image.grid), "3 x 2 x 2");
    EXPECT_EQ(image.at(2, 1, 1), -11.F);
  }
}

TEST(Dicom, AMosaicIsNamed) {
  const TemporaryFolder folder;
  write_dicom(folder / "series", 2, -1, "ORIGINAL\\PRIMARY\\M\\ND\\MOSAIC");
  for (const Path& path : {folder / "series", folder / "series" / "slice1.dcm"}) {
    EXPECT_THAT(testing::error_of([&] { read_header(path); }),
                ::testing::HasSubstr("is a Siemens mosaic"));
    EXPECT_THAT(testing::error_of([&] { read_image(path); }), ::testing::HasSubstr("dcm2niix"));
  }
}

TEST(Io, ADicomSeriesIsOneVolume) {
  const TemporaryFolder folder;
  write_dicom(folder / "series", 4);
  const Image image = read_image(folder / "series");
  EXPECT_EQ(describe(image.grid), "6 x 5 x 4, 0.5 x 0.75 x 2 mm, axes LPS");
  EXPECT_NEAR(norm(image.grid.origin - Vec3{-7, 11, 5}), 0, 1e-6);
  EXPECT_EQ(image.at(2, 1, 3), 308.F);
  const ImageHeader header = read_header(folder / "series");
  EXPECT_EQ(header.format, "DICOM");
  EXPECT_EQ(header.type, "int16");
  EXPECT_TRUE(same_grid(header.grid, image.grid));
  EXPECT_EQ(read_labels(folder / "series").at(2, 1, 3), 308);
}

TEST(Io, ADicomSeriesCannotClaimMoreThanItHas) {
  const testing::TemporaryFolder folder;
  write_dicom(folder / "series", 3);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "series")) {
    std::string bytes = read_text(entry.path());
    for (const char tag : {'\x10', '\x11'}) {  // rows, columns
      const auto at = bytes.find(std::string{'\x28', '\0', tag, '\0'});
      ASSERT_NE(at, std::string::npos);
      bytes.replace(at + 8, 2, "\xff\xff");  // behind its kind and length
    }
    testing::write_bytes(entry.path(), bytes);
  }
  EXPECT_THAT(testing::error_of([&] { read_image(folder / "series"); }),
              ::testing::HasSubstr("more than its files can hold"));
}

TEST(Io, ACutDicomSliceIsRefused) {
  const TemporaryFolder folder;
  write_dicom(folder / "series", 3);
  const Path slice = folder / "series" / "slice2.dcm";
  const std::string whole = read_text(slice);
  for (const std::size_t missing : {1, 20, 59}) {
    testing::write_bytes(slice, whole.substr(0, whole.size() - missing));
    for (const Path& path : {slice, folder / "series"})
      EXPECT_THAT(testing::error_of([&] { read_image(path); }),
                  ::testing::AllOf(::testing::HasSubstr(slice.string()),
                                   ::testing::HasSubstr("is truncated")))
          << missing;
  }
  testing::write_bytes(slice, "");
  EXPECT_THAT(testing::error_of([&] { read_image(folder / "series"); }),
              ::testing::HasSubstr("is empty"));
}

TEST(Io, ADicomSeriesWithAMissingSliceIsRefused) {
  const TemporaryFolder folder;
  write_dicom(folder / "series", 5, 2);
  EXPECT_THAT(testing::error_of([&] { read_image(folder / "series"); }),
              ::testing::AllOf(::testing::HasSubstr("uneven slices"),
                               ::testing::HasSubstr("is a slice missing?")));
}

TEST(Io, SeveralVolumesComeBackInTheirOrder) {
  const TemporaryFolder folder;
  for (const int dims : {2, 3}) {
    const Grid grid = oblique(dims);
    std::vector<float> values(static_cast<std::size_t>(3 * grid.voxels()));
    for (std::size_t v = 0; v < values.size(); ++v) values[v] = static_cast<float>(v);
    write_volumes(folder / "volumes.nii.gz", grid, values);
    const auto back = read_volumes(folder / "volumes.nii.gz");
    ASSERT_EQ(back.size(), 3U);
    EXPECT_TRUE(same_grid(back[1].grid, grid)) << describe(back[1].grid);
    EXPECT_EQ(back[1].values[2], static_cast<float>(grid.voxels() + 2));
  }
  write_image(folder / "one.nii.gz", ramp(oblique(3)));
  EXPECT_THROW(read_volumes(folder / "one.nii.gz"), Error);
}

}  // namespace
}  // namespace aladdin
