// MINC 2, as ITK's library writes it: HDF5, a world in RAS.
#ifdef ALADDIN_MINC
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <itkImage.h>
#include <itkImageFileWriter.h>
#include <itkMINCImageIO.h>

#include "aladdin/image/io.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using Volume = itk::Image<float, 3>;

constexpr Size3 kSize{7, 6, 5};

float value_at(std::int64_t i, std::int64_t j, std::int64_t k) {
  return static_cast<float>(i + 10 * j + 100 * k);
}

void write_minc(const Path& path) {
  auto image = Volume::New();
  image->SetRegions(Volume::SizeType{{7, 6, 5}});
  const double spacing[] = {1.5, 2, 2.5}, origin[] = {10, -20, 30};
  image->SetSpacing(spacing);
  image->SetOrigin(origin);
  image->Allocate();
  for (std::int64_t k = 0; k < kSize[2]; ++k)
    for (std::int64_t j = 0; j < kSize[1]; ++j)
      for (std::int64_t i = 0; i < kSize[0]; ++i) image->SetPixel({{i, j, k}}, value_at(i, j, k));
  auto io = itk::MINCImageIO::New();
#if ITK_VERSION_MAJOR > 5 || ITK_VERSION_MINOR > 3
  io->SetRAStoLPS(false);
#endif
  auto writer = itk::ImageFileWriter<Volume>::New();
  writer->SetImageIO(io);
  writer->SetFileName(path.string());
  writer->SetInput(image);
  writer->Update();
}

// What was written has its axes along +x, +y and +z of MINC's world, which is RAS.
TEST(Minc, IsReadWhereItIs) {
  const TemporaryFolder folder;
  const Path path = folder / "a.mnc";
  write_minc(path);
  const ImageHeader header = read_header(path);
  EXPECT_EQ(header.format, "MINC");
  const Image image = read_image(path);
  EXPECT_EQ(axis_codes(image.grid), "RAS");
  for (const Vec3& index : {Vec3{0, 0, 0}, Vec3{6, 0, 0}, Vec3{1, 5, 4}}) {
    const Vec3 point = image.grid.to_point(index);
    const Vec3 expected{-(10 + 1.5 * index[0]), -(-20 + 2 * index[1]), 30 + 2.5 * index[2]};
    EXPECT_LT(norm(point - expected), 1e-9);
    const auto v =
        image.grid.offset(static_cast<std::int64_t>(index[0]), static_cast<std::int64_t>(index[1]),
                          static_cast<std::int64_t>(index[2]));
    EXPECT_FLOAT_EQ(image.values[static_cast<std::size_t>(v)],
                    static_cast<float>(index[0] + 10 * index[1] + 100 * index[2]));
  }
}

TEST(Minc, DamagedFilesAreRefusedInOneSentence) {
  const TemporaryFolder folder;
  write_minc(folder / "a.mnc");
  const std::string whole = read_text(folder / "a.mnc");
  for (std::size_t length = 1; length < whole.size(); length += whole.size() / 20 + 1) {
    write_bytes(folder / "b.mnc", whole.substr(0, length));
    const std::string sentence = error_of([&] { read_image(folder / "b.mnc"); });
    EXPECT_THAT(sentence, HasSubstr("b.mnc"));
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
  for (std::size_t at = 0; at < whole.size(); at += whole.size() / 40 + 1) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    write_bytes(folder / "b.mnc", bytes);
    const std::string sentence = error_of([&] { read_image(folder / "b.mnc"); });
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
  write_bytes(folder / "c.mnc", "CDF\x01 and more");
  EXPECT_THAT(error_of([&] { read_image(folder / "c.mnc"); }), HasSubstr("MINC 1"));
}

}  // namespace
}  // namespace aladdin
#endif
