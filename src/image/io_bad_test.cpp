// Files that cannot be used: each is refused with one sentence that names the file and says why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <limits>

#include "aladdin/core/rng.h"
#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using ::testing::HasSubstr;
using testing::Nifti1;
using ::testing::Not;

class BadFile : public ::testing::Test {
 protected:
  // Reads `name` as an image; the sentence must name the file and be one line.
  std::string refusal(const std::string& name) {
    const Path path = folder_ / name;
    const std::string sentence = testing::error_of([&] { read_image(path); });
    EXPECT_THAT(sentence, HasSubstr(path.string()));
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    return sentence;
  }
  std::string header_refusal(const std::string& name) {
    return testing::error_of([&] { read_header(folder_ / name); });
  }
  Path save_ramp(const std::string& name) {
    Grid grid;
    grid.size = {20, 21, 22};
    write_image(folder_ / name, testing::ramp(grid));
    return folder_ / name;
  }
  void cut(const Path& path, double share) {
    std::filesystem::resize_file(
        path,
        static_cast<std::uintmax_t>(share * static_cast<double>(std::filesystem::file_size(path))));
  }

  testing::TemporaryFolder folder_;
};

TEST_F(BadFile, Missing) { EXPECT_THAT(refusal("none.nii"), HasSubstr("no such file")); }

TEST_F(BadFile, Empty) {
  testing::write_bytes(folder_ / "empty.nii.gz", "");
  EXPECT_THAT(refusal("empty.nii.gz"), HasSubstr("is empty (0 bytes)"));
}

TEST_F(BadFile, NotAnImage) {
  for (const char* name :
       {"text.nii", "text.nii.gz", "text.nrrd", "text.mha", "text.txt", "text.hdr"}) {
    testing::write_bytes(folder_ / name, std::string(1000, 'x') + "not an image\n");
    EXPECT_THAT(refusal(name), HasSubstr("is not an image that can be read")) << name;
  }
}

TEST_F(BadFile, ALargeFileThatIsNoImageIsNotReadWhole) {
  testing::write_bytes(folder_ / "large.dcm", "x");
  std::filesystem::resize_file(folder_ / "large.dcm", std::uintmax_t{5} << 30);
  EXPECT_THAT(refusal("large.dcm"), HasSubstr("is not an image that can be read"));
}

TEST_F(BadFile, AFolderWithoutDicom) {
  std::filesystem::create_directory(folder_ / "nothing");
  EXPECT_THAT(refusal("nothing"), HasSubstr("holds no DICOM series"));
  testing::write_bytes(folder_ / "nothing" / "a.txt", "hello");
  EXPECT_THAT(refusal("nothing"), HasSubstr("holds no DICOM series"));
}

TEST_F(BadFile, TruncatedNii) {
  cut(save_ramp("cut.nii"), 0.5);
  EXPECT_THAT(refusal("cut.nii"), HasSubstr("is truncated or its header is wrong"));
}

TEST_F(BadFile, TruncatedHeader) {
  const Path path = save_ramp("cut.nii");
  std::filesystem::resize_file(path, 200);
  EXPECT_THAT(refusal("cut.nii"), HasSubstr("is not an image that can be read"));
}

TEST_F(BadFile, TruncatedGzip) {
  for (const double share : {0.02, 0.5, 0.999}) {
    cut(save_ramp("cut.nii.gz"), share);
    EXPECT_THAT(refusal("cut.nii.gz"), HasSubstr("is truncated: its gzip stream ends too early"));
    std::filesystem::remove(folder_ / "cut.nii.gz");
  }
}

TEST_F(BadFile, DamagedGzip) {
  const Path path = save_ramp("hurt.nii.gz");
  const std::string whole = read_text(path);
  int refused = 0, tried = 0;
  for (std::size_t at = whole.size() / 3; at < whole.size(); at += whole.size() / 40, ++tried) {
    std::string hurt = whole;
    hurt[at] = static_cast<char>(hurt[at] ^ 0x10);
    testing::write_bytes(path, hurt);
    refused += refusal("hurt.nii.gz").find("damaged") != std::string::npos ||
               refusal("hurt.nii.gz").find("truncated") != std::string::npos;
  }
  EXPECT_EQ(refused, tried);  // a flipped bit anywhere is seen: the checksum is read
}

TEST_F(BadFile, TruncatedNrrdAndMetaImage) {
  for (const char* name : {"cut.nrrd", "cut.mha"}) {
    cut(save_ramp(name), 0.5);
    EXPECT_THAT(refusal(name), HasSubstr("truncated")) << name;
  }
}

TEST_F(BadFile, DamagedNrrdAndMetaImage) {
  for (const char* name : {"hurt.nrrd", "hurt.mha"}) {
    const Path path = save_ramp(name);
    std::string hurt = read_text(path);
    for (std::size_t at = hurt.size() / 2; at < hurt.size() / 2 + 40; ++at) hurt[at] = 'x';
    testing::write_bytes(path, hurt);
    EXPECT_THAT(refusal(name), HasSubstr("damaged")) << name;
  }
}

TEST_F(BadFile, TruncatedPlainMetaImageAndNrrd) {
  const std::string voxels(60, 'x');
  testing::write_bytes(folder_ / "cut.mha",
                       "ObjectType = Image\nNDims = 3\nBinaryData = True\nDimSize = 10 10 10\n"
                       "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n" +
                           voxels);
  testing::write_bytes(
      folder_ / "cut.nrrd",
      "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 10 10 10\nencoding: raw\n\n" + voxels);
  for (const char* name : {"cut.nrrd", "cut.mha"})
    EXPECT_THAT(refusal(name), HasSubstr("truncated")) << name;
}

TEST_F(BadFile, MetaImageWhoseDataFileIsMissing) {
  testing::write_bytes(folder_ / "alone.mhd",
                       "ObjectType = Image\nNDims = 3\nDimSize = 4 4 4\nElementType = MET_UCHAR\n"
                       "ElementDataFile = gone.raw\n");
  EXPECT_THAT(refusal("alone.mhd"), HasSubstr("cannot read"));
}

TEST_F(BadFile, ZeroSized) {
  Nifti1({4, 0, 4}).save(folder_ / "zero.nii");
  EXPECT_THAT(refusal("zero.nii"), HasSubstr("has no voxels along axis 1"));
  testing::write_bytes(folder_ / "zero.mha",
                       "ObjectType = Image\nNDims = 3\nDimSize = 4 0 4\nElementType = MET_UCHAR\n"
                       "ElementDataFile = LOCAL\n");
  EXPECT_THAT(refusal("zero.mha"), HasSubstr("axis 1"));
}

TEST_F(BadFile, NotFinite) {
  Image image{Grid{3, {3, 3, 3}}};
  image.at(1, 2, 0) = std::numeric_limits<float>::quiet_NaN();
  image.at(2, 2, 2) = std::numeric_limits<float>::infinity();
  write_image(folder_ / "nan.nii.gz", image);
  EXPECT_THAT(refusal("nan.nii.gz"),
              HasSubstr("has 2 values that are NaN or infinite, the first at voxel (1, 2, 0)"));
}

TEST_F(BadFile, FourDimensions) {
  Nifti1({3, 3, 3, 5}).append(std::vector<std::uint8_t>(135)).save(folder_ / "four.nii");
  EXPECT_THAT(refusal("four.nii"),
              HasSubstr("is 4-D (3 x 3 x 3 x 5), expected a 2-D or 3-D image"));
  Nifti1({3, 3, 3, 1}).append(std::vector<std::uint8_t>(27)).save(folder_ / "three.nii");
  EXPECT_EQ(read_image(folder_ / "three.nii").grid.dims, 3);
}

TEST_F(BadFile, OneDimension) {
  Nifti1({30}).append(std::vector<std::uint8_t>(30)).save(folder_ / "one.nii");
  EXPECT_THAT(refusal("one.nii"), HasSubstr("is 1-D (30), expected a 2-D or 3-D image"));
}

TEST_F(BadFile, Colour) {
  Nifti1({3, 3, 3}, 128, 24).append(std::vector<std::uint8_t>(81)).save(folder_ / "rgb.nii");
  EXPECT_THAT(refusal("rgb.nii"), HasSubstr("is a colour image, expected one value per voxel"));
}

TEST_F(BadFile, Complex) {
  Nifti1({3, 3, 3}, 32, 64).append(std::vector<float>(54)).save(folder_ / "complex.nii");
  EXPECT_THAT(refusal("complex.nii"), HasSubstr("has complex values, expected real ones"));
}

TEST_F(BadFile, DamagedHeader) {
  Nifti1({3, 3, 3})
      .set<std::int16_t>(40, 9)
      .append(std::vector<std::uint8_t>(27))
      .save(folder_ / "nine.nii");
  EXPECT_THAT(refusal("nine.nii"), HasSubstr("its number of dimensions is not 1 to 7"));
}

TEST_F(BadFile, UnknownType) {
  Nifti1({3, 3, 3}, 77, 8).append(std::vector<std::uint8_t>(27)).save(folder_ / "odd.nii");
  EXPECT_THAT(refusal("odd.nii"), HasSubstr("has an unknown NIfTI data type (77)"));
  Nifti1({3, 3, 3}, 1536, 128).append(std::vector<double>(54)).save(folder_ / "quad.nii");
  EXPECT_NE(refusal("quad.nii"), "");
}

TEST_F(BadFile, SingularGeometry) {
  Nifti1 file({3, 3, 3});
  file.append(std::vector<std::uint8_t>(27)).set<std::int16_t>(254, 1).set<float>(280, 1.F);
  file.save(folder_ / "flat.nii");  // rows y and z of the sform are 0
  EXPECT_THAT(refusal("flat.nii"), HasSubstr("has an unusable geometry: its sform is singular"));
  testing::write_bytes(
      folder_ / "flat.nrrd",
      "NRRD0004\ntype: uchar\ndimension: 3\nspace: left-posterior-superior\n"
      "sizes: 2 2 2\nspace directions: (1,0,0) (1,0,0) (0,0,1)\nencoding: raw\n\n" +
          std::string(8, 'x'));
  EXPECT_THAT(refusal("flat.nrrd"), HasSubstr("unusable geometry"));
}

TEST_F(BadFile, AShearedSlice) {
  Nifti1 file({3, 3});
  file.append(std::vector<std::uint8_t>(9)).set<std::int16_t>(254, 1);
  file.set<float>(280, 1).set<float>(284, 0.6F).set<float>(300, 0.8F).set<float>(320, 1);
  file.save(folder_ / "shear.nii");
  EXPECT_THAT(refusal("shear.nii"),
              ::testing::AllOf(HasSubstr("its axes are not at right angles (shear)"),
                               HasSubstr("without shear"), Not(HasSubstr("ITK"))));
}

TEST_F(BadFile, APipeIsNotWaitedFor) {
  for (const char* name : {"pipe.nii", "pipe.hdr", "pipe.img", "pipe.nrrd", "pipe.raw"})
    ASSERT_EQ(mkfifo((folder_ / name).c_str(), 0600), 0);
  for (const char* name : {"pipe.nii", "pipe.hdr", "pipe.img", "pipe.nrrd"})
    EXPECT_THAT(refusal(name), HasSubstr("is not a file")) << name;
  testing::write_bytes(folder_ / "into.mhd",
                       "ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\n"
                       "ElementType = MET_UCHAR\nElementDataFile = pipe.raw\n");
  EXPECT_THAT(refusal("into.mhd"), HasSubstr("which is empty or missing"));
  Nifti1 file({3, 3, 3});
  std::memcpy(file.bytes.data() + 344, "ni1", 4);
  testing::write_bytes(folder_ / "half.hdr", file.bytes.substr(0, 348));
  ASSERT_EQ(mkfifo((folder_ / "half.img").c_str(), 0600), 0);
  EXPECT_THAT(refusal("half.hdr"), HasSubstr("which is not there"));
}

TEST_F(BadFile, AnSformThatContradictsPixdim) {
  Nifti1 file({3, 3, 3});
  file.append(std::vector<std::uint8_t>(27)).set<std::int16_t>(254, 1);
  file.set<float>(280, 2.5F).set<float>(300, 1).set<float>(320, 1).save(folder_ / "two.nii");
  EXPECT_THAT(refusal("two.nii"), HasSubstr("a spacing of 2.5 along axis 0, pixdim one of 1"));
}

TEST_F(BadFile, NoSpacing) {
  Nifti1({3, 3, 3})
      .set<float>(84, 0)
      .append(std::vector<std::uint8_t>(27))
      .save(folder_ / "flat.nii");
  EXPECT_THAT(refusal("flat.nii"), HasSubstr("axis 1 has a spacing of 0 mm"));
}

TEST_F(BadFile, ClaimsAHundredTerabytes) {
  Nifti1({32000, 32000, 32000, 1}, 64, 64)
      .append(std::vector<double>(20))
      .save(folder_ / "huge.nii");
  EXPECT_THAT(refusal("huge.nii"), HasSubstr("it claims"));
  testing::write_bytes(folder_ / "huge.nrrd",
                       "NRRD0004\ntype: float\ndimension: 3\nsizes: 30000 30000 30000\n"
                       "encoding: raw\n\nxxxx");
  EXPECT_THAT(refusal("huge.nrrd"), HasSubstr("it claims"));
  testing::write_bytes(
      folder_ / "huge.mha",
      "ObjectType = Image\nNDims = 3\nBinaryData = True\nDimSize = 30000 30000 30000\n"
      "ElementType = MET_FLOAT\nElementDataFile = LOCAL\nxxxx");
  EXPECT_THAT(refusal("huge.mha"), HasSubstr("it claims 2.7e+13 bytes"));
}

TEST_F(BadFile, OverflowingSizesInNifti2) {
  std::string bytes(600, '\0');
  const auto set = [&](std::size_t offset, auto value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  };
  set(0, std::int32_t{540});
  std::memcpy(bytes.data() + 4, "n+2\0\r\n\032\n", 8);
  set(12, std::int16_t{2}), set(16, std::int64_t{3});
  for (int d = 1; d <= 3; ++d) set(16 + 8 * d, std::int64_t{1} << 40), set(104 + 8 * d, 1.0);
  testing::write_bytes(folder_ / "over.nii", bytes);
  EXPECT_THAT(refusal("over.nii"), HasSubstr("it claims"));
}

TEST_F(BadFile, LabelsWithFractions) {
  Image image{Grid{3, {3, 3, 3}}};
  image.at(1, 1, 1) = 0.25F;
  write_image(folder_ / "soft.nii.gz", image);
  EXPECT_THAT(testing::error_of([&] { read_labels(folder_ / "soft.nii.gz"); }),
              HasSubstr("is not a label map: it has the value 0.25, expected whole numbers"));
  image.at(1, 1, 1) = 3e10F;
  write_image(folder_ / "large.nii.gz", image);
  EXPECT_THAT(testing::error_of([&] { read_labels(folder_ / "large.nii.gz"); }),
              HasSubstr("has the label 30000001024, which does not fit a 32-bit integer"));
}

TEST_F(BadFile, AVectorFieldThatIsAnImage) {
  save_ramp("image.nii.gz");
  EXPECT_THAT(testing::error_of([&] { read_vectors(folder_ / "image.nii.gz"); }),
              HasSubstr("has 1 values per voxel, expected 3 (a displacement field)"));
}

// Headers with random bytes: read or refused; no crash, no endless loop, no other exception.
TEST_F(BadFile, RandomHeadersAreReadOrRefused) {
  Rng rng(7);
  int refused = 0;
  for (const char* name : {"a.nii", "a.nrrd", "a.mha", "a.nii.gz"}) {
    Grid grid;
    grid.size = {5, 4, 3};
    const Path path = folder_ / name;
    write_image(path, testing::ramp(grid));
    const std::string whole = read_text(path);
    for (int n = 0; n < 150; ++n) {
      std::string hurt = whole;
      for (int times = 0; times < 1 + n % 4; ++times)
        hurt[rng.below(std::min<std::int64_t>(352, static_cast<std::int64_t>(hurt.size())))] =
            static_cast<char>(rng.below(256));
      testing::write_bytes(path, hurt);
      refused += !testing::error_of([&] { read_image(path); }).empty();
    }
  }
  EXPECT_GT(refused, 100);
}

TEST_F(BadFile, NothingIsWrittenUnderAnUnknownExtension) {
  const Image image{Grid{3, {3, 3, 3}}};
  EXPECT_THAT(testing::error_of([&] { write_image(folder_ / "out.jpg", image); }),
              HasSubstr("does not end in an image format that can be written"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
}  // namespace aladdin
