#include <itkGDCMImageIO.h>
#include <itkMetaImageIO.h>
#include <itkNiftiImageIO.h>
#include <itkNrrdImageIO.h>

#include "aladdin/image/itk_error.h"
#include "aladdin/image/raw_image.h"
#include "aladdin/image/text_header.h"

namespace aladdin {
namespace {

using Component = itk::IOComponentEnum;

struct Format {
  itk::ImageIOBase::Pointer io;
  const char* name;
};

Format open_format(const Path& path) {
  const std::string name = path.string();
  auto nifti = itk::NiftiImageIO::New();
  nifti->SetLegacyAnalyze75Mode(itk::NiftiImageIOEnums::Analyze75Flavor::AnalyzeITK4);
  const Format known[] = {{nifti.GetPointer(), "NIfTI"},
                          {itk::NrrdImageIO::New().GetPointer(), "NRRD"},
                          {itk::MetaImageIO::New().GetPointer(), "MetaImage"},
                          {itk::GDCMImageIO::New().GetPointer(), "DICOM"}};
  for (const auto& format : known)
    if (format.io->CanReadFile(name.c_str())) return format;
  throw Error(fmt::format("'{}' is not an image that can be read", name))
      .hint("expected NIfTI, NRRD, MetaImage, Analyze or a DICOM series; is the file damaged?");
}

}  // namespace

Scalar itk_scalar(int component, const Path& path) {
  const auto type = static_cast<Component>(component);
  switch (type) {
    case Component::UCHAR:
      return Scalar::uint8;
    case Component::CHAR:
      return Scalar::int8;
    case Component::USHORT:
      return Scalar::uint16;
    case Component::SHORT:
      return Scalar::int16;
    case Component::UINT:
      return Scalar::uint32;
    case Component::INT:
      return Scalar::int32;
    case Component::ULONG:
    case Component::ULONGLONG:
      return Scalar::uint64;
    case Component::LONG:
    case Component::LONGLONG:
      return Scalar::int64;
    case Component::FLOAT:
      return Scalar::float32;
    case Component::DOUBLE:
      return Scalar::float64;
    default:
      fail("'{}' has an unknown pixel type", path.string());
  }
}

namespace {

Grid grid_of(const itk::ImageIOBase& io, const Path& path) {
  int dims = static_cast<int>(io.GetNumberOfDimensions());
  std::vector<std::int64_t> size;
  for (int axis = 0; axis < dims; ++axis) {
    size.push_back(static_cast<std::int64_t>(io.GetDimensions(axis)));
    if (size.back() < 1) fail("'{}' has no voxels along axis {}", path.string(), axis);
  }
  while (dims > 2 && size[dims - 1] == 1) --dims;
  if (dims < 2 || dims > 3) refuse_dimensions(path, size);
  Grid grid;
  const int stored = std::min<int>(3, static_cast<int>(size.size()));
  for (int axis = 0; axis < stored; ++axis) {
    grid.size[axis] = size[axis];
    grid.spacing[axis] = io.GetSpacing(axis);
    grid.origin[axis] = io.GetOrigin(axis);
    const auto column = io.GetDirection(axis);
    for (int row = 0; row < stored; ++row) grid.direction[row][axis] = column[row];
  }
  return dims == 2 ? slice_grid(grid, path) : grid;
}

ImageHeader header_of(const Format& format, const Path& path) {
  const auto& io = *format.io;
  const auto pixel = io.GetPixelType();
  const int components = static_cast<int>(io.GetNumberOfComponents());
  if (pixel == itk::IOPixelEnum::RGB || pixel == itk::IOPixelEnum::RGBA)
    throw Error(fmt::format("'{}' is a colour image, expected one value a voxel", path.string()))
        .hint("convert it to grey values");
  if (pixel == itk::IOPixelEnum::COMPLEX)
    throw Error(fmt::format("'{}' has complex values, expected real ones", path.string()))
        .hint("take its magnitude");
  ImageHeader header;
  header.grid = usable_grid(grid_of(io, path), path);
  const Scalar type = itk_scalar(static_cast<int>(io.GetComponentType()), path);
  header.format = format.name;
  header.type = name_of(type);
  header.components = components;
  header.integer = is_integer(type);
  return header;
}

Format read_information(const Path& path) {
  read_text_header(path);  // refuses what ITK's libraries would not survive
  Format format = open_format(path);
  format.io->SetFileName(path.string());
  format.io->ReadImageInformation();
  return format;
}

}  // namespace

ImageHeader itk_header(const Path& path) {
  const QuietItk quiet;
  return translated(path, "read", [&] { return header_of(read_information(path), path); });
}

RawImage read_itk(const Path& path) {
  const QuietItk quiet;
  return translated(path, "read", [&] {
    const Format format = read_information(path);
    auto& io = *format.io;
    RawImage raw;
    raw.header = header_of(format, path);
    raw.type = itk_scalar(static_cast<int>(io.GetComponentType()), path);
    require_plausible_size(path, static_cast<double>(raw.header.grid.voxels()) *
                                     raw.header.components * bytes_of(raw.type));
    itk::ImageIORegion region(io.GetNumberOfDimensions());
    for (unsigned axis = 0; axis < io.GetNumberOfDimensions(); ++axis) {
      region.SetIndex(axis, 0);
      region.SetSize(axis, io.GetDimensions(axis));
    }
    io.SetIORegion(region);
    raw.bytes.resize(static_cast<std::size_t>(io.GetImageSizeInBytes()));
    io.Read(raw.bytes.data());
    // MetaIO returns success for a file that ends too early or does not inflate; it only prints.
    if (std::string_view(format.name) == "MetaImage" && !quiet.said().empty())
      throw Error(
          fmt::format("'{}' is truncated or damaged: its voxels cannot all be read", path.string()))
          .hint("copy it again from its source");
    return raw;
  });
}

}  // namespace aladdin
