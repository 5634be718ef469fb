#include "aladdin/image/png.h"

#include <gtest/gtest.h>
#include <itkPNGImageIO.h>
#include <unistd.h>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

// The bytes of the pixels as ITK reads them, and how many a pixel.
std::pair<std::vector<std::uint8_t>, int> read_back(const Picture& picture) {
  const Path path = Path(::testing::TempDir()) / fmt::format("aladdin_png_test_{}.png", getpid());
  write_png(path, picture);
  auto io = itk::PNGImageIO::New();
  io->SetFileName(path.string());
  io->ReadImageInformation();
  EXPECT_EQ(static_cast<int>(io->GetDimensions(0)), picture.width);
  EXPECT_EQ(static_cast<int>(io->GetDimensions(1)), picture.height);
  itk::ImageIORegion region(2);
  for (unsigned axis = 0; axis < 2; ++axis) region.SetSize(axis, io->GetDimensions(axis));
  io->SetIORegion(region);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(io->GetImageSizeInBytes()));
  io->Read(bytes.data());
  std::filesystem::remove(path);
  return {bytes, static_cast<int>(io->GetNumberOfComponents())};
}

TEST(Png, KeepsEveryPixel) {
  Picture picture(5, 3, {10, 20, 30});
  picture.at(4, 0) = {255, 0, 1};
  picture.at(0, 2) = {2, 200, 3};
  const auto [bytes, components] = read_back(picture);
  ASSERT_EQ(components, 3);
  ASSERT_EQ(bytes.size(), 45U);
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_EQ(bytes[n], picture.pixels[n / 3][n % 3]) << n;
}

TEST(Png, GreyIsOneByteAPixel) {
  Picture picture(3, 2, {10, 10, 10});
  picture.at(2, 1) = {200, 200, 200};
  const auto [bytes, components] = read_back(picture);
  EXPECT_EQ(components, 1);
  EXPECT_EQ(bytes, (std::vector<std::uint8_t>{10, 10, 10, 10, 10, 200}));
}

TEST(Png, RefusesOtherFormats) {
  try {
    require_png_extension("knee.jpg");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    EXPECT_NE(std::string(error.what()).find("knee.jpg"), std::string::npos);
  }
}

}  // namespace
}  // namespace aladdin
