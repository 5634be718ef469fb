#include "aladdin/image/png.h"

#include <itkPNGImageIO.h>

#include "aladdin/core/error.h"

namespace aladdin {

void require_png_extension(const Path& path) {
  if (full_extension(path).ends_with(".png")) return;
  throw Error(fmt::format("'{}' does not end in .png", path.string()), ExitCode::usage)
      .hint("pictures are written as PNG");
}

void write_png(const Path& path, const Picture& picture) {
  require_png_extension(path);
  static_assert(sizeof(Colour) == 3);
  AtomicFile file(path);
  try {
    auto io = itk::PNGImageIO::New();
    io->SetFileName(file.path().string());
    io->SetNumberOfDimensions(2);
    io->SetDimensions(0, static_cast<itk::SizeValueType>(picture.width));
    io->SetDimensions(1, static_cast<itk::SizeValueType>(picture.height));
    io->SetComponentType(itk::IOComponentEnum::UCHAR);
    io->SetPixelType(itk::IOPixelEnum::RGB);
    io->SetNumberOfComponents(3);
    io->SetUseCompression(true);
    io->SetCompressionLevel(9);
    itk::ImageIORegion region(2);
    region.SetSize(0, static_cast<itk::SizeValueType>(picture.width));
    region.SetSize(1, static_cast<itk::SizeValueType>(picture.height));
    io->SetIORegion(region);
    io->Write(picture.pixels.data());
  } catch (const itk::ExceptionObject& error) {
    fail("cannot write '{}': {}", path.string(), error.GetDescription());
  }
  file.commit();
}

}  // namespace aladdin
