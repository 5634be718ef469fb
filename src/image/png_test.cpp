#include "aladdin/image/png.h"

#include <gtest/gtest.h>
#include <itkPNGImageIO.h>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

TEST(Png, KeepsEveryPixel) {
  Picture picture(5, 3, {10, 20, 30});
  picture.at(4, 0) = {255, 0, 1};
  picture.at(0, 2) = {2, 200, 3};
  const Path path = Path(::testing::TempDir()) / "aladdin_png_test.png";
  write_png(path, picture);
  auto io = itk::PNGImageIO::New();
  io->SetFileName(path.string());
  io->ReadImageInformation();
  ASSERT_EQ(io->GetDimensions(0), 5U);
  ASSERT_EQ(io->GetDimensions(1), 3U);
  ASSERT_EQ(io->GetNumberOfComponents(), 3U);
  itk::ImageIORegion region(2);
  region.SetSize(0, 5);
  region.SetSize(1, 3);
  io->SetIORegion(region);
  std::vector<Colour> pixels(15);
  io->Read(pixels.data());
  EXPECT_EQ(pixels, picture.pixels);
  std::filesystem::remove(path);
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
