#include "aladdin/transform/transform_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "aladdin/core/error.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/test_fields.h"

namespace aladdin {
namespace {

using namespace testing;
using ::testing::AnyOf;
using ::testing::HasSubstr;

std::string refusal(const Path& path) {
  try {
    read_transform(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

void write(const Path& path, const std::string& text) { std::ofstream(path) << text; }

TEST(TransformFile, FieldsComeBackFromEveryFormat) {
  for (const int dims : {2, 3})
    for (const char* name : {"f.nii.gz", "f.nii", "f.nrrd", "f.mha"}) {
      const TemporaryFolder folder;
      const Displacement field = smooth_field(oblique_grid(dims, small_size(dims)), 2, 1, 3);
      write_displacement(folder / name, field);
      const Chain chain = read_transform(folder / name);
      ASSERT_EQ(chain.size(), 1U);
      const auto& back = std::get<Displacement>(chain.front());
      EXPECT_TRUE(same_grid(back.grid(), field.grid())) << name << " " << dims;
      EXPECT_EQ(back.vectors.values, field.vectors.values) << name << " " << dims;
    }
}

TEST(TransformFile, AffinesComeBackFromEveryFormat) {
  const TemporaryFolder folder;
  for (const int dims : {2, 3})
    for (const char* name : {"a.tfm", "a.txt", "a.mat", "a.h5"}) {
      const Affine affine =
          compose(rotation(2, 0.3, {5, 6, 0}, dims), translation({1, 2, 0}, dims));
      write_affine(folder / name, affine);
      const Chain chain = read_transform(folder / name);
      ASSERT_EQ(chain.size(), 1U);
      const auto& back = std::get<Affine>(chain.front());
      EXPECT_EQ(back.dims, dims);
      for (const Vec3& point : {Vec3{0, 0, 0}, Vec3{100, -50, 0}})
        EXPECT_LT(norm(back(point) - affine(point)), 1e-9) << name;
    }
}

TEST(TransformFile, TheCentreOfAnAntsAffineCounts) {
  const TemporaryFolder folder;
  write(folder / "a.txt",
        "#Insight Transform File V1.0\n#Transform 0\n"
        "Transform: AffineTransform_double_3_3\n"
        "Parameters: 2 0 0 0 2 0 0 0 2 1 0 0\nFixedParameters: 10 20 30\n");
  const Chain chain = read_transform(folder / "a.txt");
  EXPECT_LT(norm(map_point(chain, {10, 20, 30}) - Vec3{11, 20, 30}), 1e-12);
  EXPECT_LT(norm(map_point(chain, {11, 20, 30}) - Vec3{13, 20, 30}), 1e-12);
}

TEST(TransformFile, ACompositeAppliesItsLastTransformFirst) {
  const TemporaryFolder folder;
  write(folder / "c.tfm",
        "#Insight Transform File V1.0\n#Transform 0\n"
        "Transform: CompositeTransform_double_3_3\n#Transform 1\n"
        "Transform: AffineTransform_double_3_3\n"
        "Parameters: 2 0 0 0 2 0 0 0 2 0 0 0\nFixedParameters: 0 0 0\n#Transform 2\n"
        "Transform: TranslationTransform_double_3_3\nParameters: 1 0 0\nFixedParameters:\n");
  EXPECT_LT(norm(map_point(read_transform(folder / "c.tfm"), {5, 0, 0}) - Vec3{12, 0, 0}), 1e-12);
}

TEST(TransformFile, NamesAreThoseOfBids) {
  EXPECT_EQ(native_to_atlas_name("s1"), "s1_from-native_to-atlas_mode-image_xfm.nii.gz");
  EXPECT_EQ(atlas_to_native_name("s1"), "s1_from-atlas_to-native_mode-image_xfm.nii.gz");
}

// ITK would allocate what the sizes in such a file ask for.
TEST(TransformFile, BytesThatAreNoMatlabFileAreRefusedBeforeAnythingIsAllocated) {
  const TemporaryFolder folder;
  const auto expect_refused = [&](const std::string& bytes) {
    write(folder / "x.mat", bytes);
    EXPECT_THAT(refusal(folder / "x.mat"),
                HasSubstr("x.mat': it is not a Matlab 4 file or it is cut short"));
  };
  Rng rng(3);
  for (int file = 0; file < 50; ++file) {
    std::string bytes;
    for (int b = 0; b < 200; ++b) bytes += static_cast<char>(rng.uniform(0, 256));
    expect_refused(bytes);
  }
  const auto header = [](std::uint32_t rows, std::uint32_t columns, std::uint32_t name) {
    const std::uint32_t words[5] = {0, rows, columns, 0, name};
    return std::string(reinterpret_cast<const char*>(words), sizeof words) + std::string(200, 'x');
  };
  expect_refused(header(0x7fffffff, 1, 5));
  expect_refused(header(0x10000, 0x10000, 5));
  expect_refused(header(1, 1, 0x7fffffff));
  write_affine(folder / "whole.mat", Affine{});
  const std::string whole = read_text(folder / "whole.mat");
  expect_refused(whole.substr(0, whole.size() - 1));
  write(folder / "x.mat", "");
  EXPECT_THAT(refusal(folder / "x.mat"), HasSubstr("x.mat': it is empty"));
}

TEST(TransformFile, ADamagedH5IsRefusedOrReadButNeverCrashes) {
  const TemporaryFolder folder;
  write_affine(folder / "whole.h5", Affine{});
  const std::string whole = read_text(folder / "whole.h5");
  Rng rng(4);
  for (int file = 0; file < 60; ++file) {
    std::string bytes = whole;
    if (file % 2 == 0) bytes.resize(static_cast<std::size_t>(rng.uniform(0, 1) * whole.size()));
    for (int b = 0; b < 8 && !bytes.empty(); ++b)
      bytes[static_cast<std::size_t>(rng.uniform(0, 1) * bytes.size())] ^= 0x55;
    write(folder / "x.h5", bytes);
    EXPECT_THAT(refusal(folder / "x.h5"), AnyOf("read", HasSubstr("x.h5'")));
  }
}

TEST(TransformFile, AnAffineGoesOnlyIntoATransformFile) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_affine(folder / "a.nii.gz", Affine{}), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.nii.gz"));
}

TEST(TransformFile, VelocitiesComeBack) {
  const TemporaryFolder folder;
  const Velocity velocity(smooth_field(oblique_grid(3, small_size(3)), 2, 1, 3).vectors);
  write_velocity(folder / "v.nii.gz", velocity);
  const Velocity back = read_velocity(folder / "v.nii.gz");
  EXPECT_TRUE(same_grid(back.grid(), velocity.grid()));
  EXPECT_EQ(back.vectors.values, velocity.vectors.values);
  write_image(folder / "image.nii.gz", Image(velocity.grid()));
  try {
    read_velocity(folder / "image.nii.gz");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("one value per voxel, expected a velocity field"));
  }
}

TEST(TransformFile, WhatIsNoTransformIsRefusedInASentence) {
  const TemporaryFolder folder;
  write_image(folder / "image.nii.gz", Image(oblique_grid(3, {5, 6, 7})));
  write(folder / "text.tfm", "hello\n");
  write(folder / "fsl.mat", "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  write(folder / "broken.h5", "not hdf5 at all");
  write(folder / "notes.pdf", "hello\n");
  write(folder / "nan.tfm",
        "#Insight Transform File V1.0\n#Transform 0\nTransform: AffineTransform_double_3_3\n"
        "Parameters: nan 0 0 0 1 0 0 0 1 0 0 0\nFixedParameters: 0 0 0\n");
  write(folder / "bspline.tfm",
        "#Insight Transform File V1.0\n#Transform 0\nTransform: NoSuchTransform_double_3_3\n"
        "Parameters: 1\nFixedParameters: 0\n");
  EXPECT_NE(refusal(folder / "image.nii.gz").find("is an image with one value per voxel"),
            std::string::npos);
  EXPECT_NE(refusal(folder / "absent.nii.gz").find("no such file"), std::string::npos);
  EXPECT_NE(refusal(folder / "absent.tfm").find("no such file"), std::string::npos);
  EXPECT_NE(refusal(folder / "notes.pdf").find("is not an image that can be read"),
            std::string::npos);
  for (const char* name : {"text.tfm", "fsl.mat", "broken.h5", "nan.tfm", "bspline.tfm"}) {
    const std::string sentence = refusal(folder / name);
    EXPECT_NE(sentence.find(name), std::string::npos) << sentence;
    EXPECT_NE(sentence, "read") << name;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
}

TEST(TransformFile, TransformsOfOtherProgramsAreRefusedByName) {
  const TemporaryFolder folder;
  const std::string matrix = "1 0 0 2.5\n0 1 0 -3\n0 0 1 0\n0 0 0 1\n";
  write(folder / "a.m3z", "\x1f\x8b");
  write(folder / "a.1D", "1 0 0 0 0 1 0 0 0 0 1 0\n");
  write(folder / "a.aff12.1D", "1 0 0 0 0 1 0 0 0 0 1 0\n");
  write(folder / "a.xfm", "MNI Transform File\n");
  EXPECT_THAT(refusal(folder / "a.m3z"), HasSubstr("FreeSurfer (M3Z)"));
  EXPECT_THAT(refusal(folder / "a.1D"), HasSubstr("a matrix of AFNI"));
  EXPECT_THAT(refusal(folder / "a.aff12.1D"), HasSubstr("a matrix of AFNI"));
  EXPECT_THAT(refusal(folder / "a.xfm"), HasSubstr("an MNI transform"));
  // FLIRT's rows end in blanks; Windows ends lines in CR LF.
  for (const char* name : {"m.mat", "m.txt", "m.tfm"})
    for (const std::string& text :
         {matrix, "\n" + matrix, matrix.substr(0, matrix.size() - 1), matrix.substr(0, 27),
          std::string("1  0  0  2.5  \r\n0  1  0  -3  \r\n0  0  1  0  \r\n0  0  0  1  \r\n")}) {
      write(folder / name, text);
      EXPECT_THAT(refusal(folder / name), HasSubstr("is a plain 4 x 4 matrix")) << name << text;
    }
  for (const char* text : {"1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 2\n", "1 0 0 0\n0 1 0 0\n",
                           "1 0 0\n0 0 1 0 0\n0 0 1 0\n0 0 0 1\n"}) {
    write(folder / "m.mat", text);
    EXPECT_THAT(refusal(folder / "m.mat"), HasSubstr("it is not a Matlab 4 file")) << text;
  }
  EXPECT_THROW(write_affine(folder / "b.lta", Affine{}), Error);
}

// A velocity has no positions to convert.
TEST(TransformFile, AFieldOfAnotherProgramIsNoVelocity) {
  const TemporaryFolder folder;
  const Displacement field = smooth_field(oblique_grid(3, {5, 6, 7}), 2, 1, 3);
  write_displacement(folder / "f.nii", field);
  std::string bytes = read_text(folder / "f.nii");
  bytes.replace(328, 10, "NREG_TRANS");
  write_bytes(folder / "f.nii", bytes);
  EXPECT_THAT(error_of([&] { read_velocity(folder / "f.nii"); }),
              HasSubstr("is a NiftyReg deformation field"));
  EXPECT_EQ(refusal(folder / "f.nii"), "read");
}

}  // namespace
}  // namespace aladdin
