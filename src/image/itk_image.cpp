#include <itkGDCMImageIO.h>
#include <itkMetaImageIO.h>
#include <itkNrrdImageIO.h>
#ifdef ALADDIN_MINC
#include <itkMINCImageIO.h>
#endif

#include <algorithm>
#include <cstring>

#include "aladdin/core/apart.h"
#include "aladdin/image/itk_error.h"
#include "aladdin/image/raw_image.h"
#include "aladdin/image/text_header.h"

namespace aladdin {
namespace {

using Component = itk::IOComponentEnum;

constexpr int kMostDims = 7;

// What ITK's reader says of a file, as it comes from the process it ran in.
struct Information {
  char format[16] = "";
  int dims = 0;
  std::array<std::int64_t, kMostDims> size{};
  Vec3 spacing{1, 1, 1}, origin{};
  Mat3 direction = kIdentity3;
  int pixel = 0, component = 0, components = 1;
};

#ifdef ALADDIN_MINC
// MINC's world is RAS. Before version 5.4 ITK hands it over as it is.
template <class Io>
void to_lps(Io& io) {
  if constexpr (requires { io.SetRAStoLPS(true); }) {
    io.SetRAStoLPS(true);
    io.ReadImageInformation();
  } else {
    for (unsigned axis = 0; axis < io.GetNumberOfDimensions(); ++axis) {
      auto direction = io.GetDirection(axis);
      for (unsigned row = 0; row < std::min(2U, io.GetNumberOfDimensions()); ++row)
        direction[row] = -direction[row];
      io.SetDirection(axis, direction);
      if (axis < 2) io.SetOrigin(axis, -io.GetOrigin(axis));
    }
  }
}
#endif

itk::ImageIOBase::Pointer open_format(const Path& path, Information& out) {
  const std::string name = path.string();
  const std::pair<itk::ImageIOBase::Pointer, const char*> known[] = {
      {itk::NrrdImageIO::New().GetPointer(), "NRRD"},
      {itk::MetaImageIO::New().GetPointer(), "MetaImage"},
      {itk::GDCMImageIO::New().GetPointer(), "DICOM"}};
  for (const auto& [io, format] : known)
    if (io->CanReadFile(name.c_str())) {
      std::strcpy(out.format, format);
      io->SetFileName(name);
      io->ReadImageInformation();
      refuse_mosaic(io->GetMetaDataDictionary(), path);
      return io;
    }
#ifdef ALADDIN_MINC
  if (const auto io = itk::MINCImageIO::New(); io->CanReadFile(name.c_str())) {
    std::strcpy(out.format, "MINC");
    io->SetFileName(name);
    io->ReadImageInformation();
    to_lps(*io);
    return io.GetPointer();
  }
#endif
  throw Error(fmt::format("'{}' is not an image that can be read", name))
      .hint("expected NIfTI, NRRD, MetaImage, Analyze or a DICOM series; is the file damaged?");
}

void describe_to(Information& out, const itk::ImageIOBase& io, const Path& path) {
  const auto dims = static_cast<int>(io.GetNumberOfDimensions());
  if (dims < 1 || dims > kMostDims)
    fail("'{}' has {} dimensions, expected 2 or 3", path.string(), dims);
  out.dims = dims;
  for (int axis = 0; axis < dims; ++axis)
    out.size[axis] = static_cast<std::int64_t>(io.GetDimensions(axis));
  const int stored = std::min(3, dims);
  for (int axis = 0; axis < stored; ++axis) {
    out.spacing[axis] = io.GetSpacing(axis);
    out.origin[axis] = io.GetOrigin(axis);
    const auto column = io.GetDirection(axis);
    for (int row = 0; row < stored; ++row) out.direction[row][axis] = column.at(row);
  }
  out.pixel = static_cast<int>(io.GetPixelType());
  out.component = static_cast<int>(io.GetComponentType());
  out.components = static_cast<int>(io.GetNumberOfComponents());
}

std::string voxels_of(itk::ImageIOBase& io, const Path& path) {
  const Scalar type = itk_scalar(static_cast<int>(io.GetComponentType()), path);
  double claimed = static_cast<double>(io.GetNumberOfComponents()) * bytes_of(type);
  itk::ImageIORegion region(io.GetNumberOfDimensions());
  for (unsigned axis = 0; axis < io.GetNumberOfDimensions(); ++axis) {
    region.SetIndex(axis, 0);
    region.SetSize(axis, io.GetDimensions(axis));
    claimed *= static_cast<double>(io.GetDimensions(axis));
  }
  require_plausible_size(path, claimed);
  io.SetIORegion(region);
  std::string bytes(static_cast<std::size_t>(claimed), '\0');
  io.Read(bytes.data());
  return bytes;
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

// `dims` is set to 2 for a slice, whose two axes are in the three of the world.
Grid world_grid(const Information& in, const Path& path, int& dims) {
  dims = in.dims;
  const std::vector<std::int64_t> size(in.size.begin(), in.size.begin() + dims);
  for (int axis = 0; axis < dims; ++axis)
    if (size[axis] < 1) fail("'{}' has no voxels along axis {}", path.string(), axis);
  while (dims > 2 && size[dims - 1] == 1) --dims;
  if (dims < 2 || dims > 3) refuse_dimensions(path, size);
  Grid grid;
  for (std::size_t axis = 0; axis < std::min<std::size_t>(3, size.size()); ++axis)
    grid.size[axis] = size[axis];
  grid.spacing = in.spacing;
  grid.origin = in.origin;
  grid.direction = in.direction;
  return grid;
}

ImageHeader header_of(const Information& in, const Path& path) {
  const auto pixel = static_cast<itk::IOPixelEnum>(in.pixel);
  if (pixel == itk::IOPixelEnum::RGB || pixel == itk::IOPixelEnum::RGBA)
    throw Error(fmt::format("'{}' is a colour image, expected one value per voxel", path.string()))
        .hint("convert it to grey values");
  if (pixel == itk::IOPixelEnum::COMPLEX)
    throw Error(fmt::format("'{}' has complex values, expected real ones", path.string()))
        .hint("take its magnitude");
  ImageHeader header;
  int dims = 0;
  const Grid grid = world_grid(in, path, dims);
  header.grid = usable_grid(dims == 2 ? slice_grid(grid) : grid, path);
  header.note = shape_note(grid, dims);
  const Scalar type = itk_scalar(in.component, path);
  header.format = in.format;
  header.type = name_of(type);
  header.components = in.components;
  header.integer = is_integer(type);
  return header;
}

// The information and, if asked for, the voxels behind it. The lock of QuietItk is taken before the process is forked,
// so that no other thread is within ITK then.
std::string read_apart(const Path& path, bool voxels) {
  const std::uint64_t stored = bytes_on_disk(path);
  double unpacked = 16.0 * static_cast<double>(stored);  // DICOM
  if (const auto header = read_text_header(path)) {
    unpacked = claimed_bytes(path, *header);
    require_plausible_size(path, unpacked / 8);
  } else if (voxels) {
    require_whole_dicom(path);
  }
  const QuietItk quiet;
  return run_apart(
      limits_for(stored, static_cast<std::uint64_t>(unpacked)), not_survived(path), [&] {
        return translated(path, "read", [&] {
          Information information;
          const auto io = open_format(path, information);
          describe_to(information, *io, path);
          std::string bytes;
          append_bytes(bytes, information);
          if (voxels) bytes += voxels_of(*io, path);
          // MetaIO returns success for a file that ends too early or does not inflate; it only prints.
          if (voxels && std::string_view(information.format) == "MetaImage" &&
              !quiet.said().empty())
            throw Error(fmt::format("'{}' is truncated or damaged: its voxels cannot all be read",
                                    path.string()))
                .hint("copy it again from its source");
          return bytes;
        });
      });
}

Information take_information(std::string_view& bytes) {
  auto in = take<Information>(bytes);
  in.format[sizeof in.format - 1] = '\0';
  in.dims = std::clamp(in.dims, 1, kMostDims);
  return in;
}

}  // namespace

Error not_survived(const Path& path) {
  return Error(fmt::format("cannot read '{}': its content is damaged", path.string()))
      .hint("copy it again from its source");
}

ImageHeader itk_header(const Path& path) {
  const std::string bytes = read_apart(path, false);
  std::string_view rest = bytes;
  return header_of(take_information(rest), path);
}

RawImage read_itk(const Path& path) {
  const std::string bytes = read_apart(path, true);
  std::string_view rest = bytes;
  const Information information = take_information(rest);
  RawImage raw;
  raw.header = header_of(information, path);
  raw.type = itk_scalar(information.component, path);
  double expected = static_cast<double>(bytes_of(raw.type)) * raw.header.components;
  for (const auto size : raw.header.grid.size) expected *= static_cast<double>(size);
  if (expected != static_cast<double>(rest.size())) throw not_survived(path);
  const auto* from = reinterpret_cast<const std::byte*>(rest.data());
  raw.bytes.assign(from, from + rest.size());
  return raw;
}

}  // namespace aladdin
