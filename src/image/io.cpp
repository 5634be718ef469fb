#include "aladdin/image/io.h"

#include <itkGDCMImageIO.h>
#include <itkGDCMSeriesFileNames.h>
#include <itkImageSeriesReader.h>
#include <itkMetaImageIO.h>
#include <itkNiftiImageIO.h>
#include <itkNrrdImageIO.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/image/gzip.h"

namespace aladdin {
namespace {

using Component = itk::IOComponentEnum;

struct Format {
  itk::ImageIOBase::Pointer io;
  const char* name;
};

// ITK prints warnings to stderr by itself; what matters is said by us.
void silence_itk() {
  static const bool once = [] {
    itk::Object::GlobalWarningDisplayOff();
    return true;
  }();
  (void)once;
}

Format open_format(const Path& path) {
  silence_itk();
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

void require_file(const Path& path) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) fail("no such file: '{}'", path.string());
  if (std::filesystem::is_regular_file(path, problem) &&
      std::filesystem::file_size(path, problem) == 0)
    fail("'{}' is empty (0 bytes)", path.string());
}

const char* type_name(Component type) {
  switch (type) {
    case Component::UCHAR: return "uint8";
    case Component::CHAR: return "int8";
    case Component::USHORT: return "uint16";
    case Component::SHORT: return "int16";
    case Component::UINT: return "uint32";
    case Component::INT: return "int32";
    case Component::ULONG: return "uint64";
    case Component::LONG: return "int64";
    case Component::ULONGLONG: return "uint64";
    case Component::LONGLONG: return "int64";
    case Component::FLOAT: return "float32";
    case Component::DOUBLE: return "float64";
    default: return "unknown";
  }
}

// Calls use(const T*) with the buffer's true type.
template <class Use>
void with_component_type(Component type, const std::byte* bytes, Use&& use) {
  switch (type) {
    case Component::UCHAR: return use(reinterpret_cast<const unsigned char*>(bytes));
    case Component::CHAR: return use(reinterpret_cast<const signed char*>(bytes));
    case Component::USHORT: return use(reinterpret_cast<const unsigned short*>(bytes));
    case Component::SHORT: return use(reinterpret_cast<const short*>(bytes));
    case Component::UINT: return use(reinterpret_cast<const unsigned int*>(bytes));
    case Component::INT: return use(reinterpret_cast<const int*>(bytes));
    case Component::ULONG: return use(reinterpret_cast<const unsigned long*>(bytes));
    case Component::LONG: return use(reinterpret_cast<const long*>(bytes));
    case Component::ULONGLONG: return use(reinterpret_cast<const unsigned long long*>(bytes));
    case Component::LONGLONG: return use(reinterpret_cast<const long long*>(bytes));
    case Component::FLOAT: return use(reinterpret_cast<const float*>(bytes));
    case Component::DOUBLE: return use(reinterpret_cast<const double*>(bytes));
    default: fail("its pixel type is unknown");
  }
}

Grid grid_of(const itk::ImageIOBase& io, const Path& path) {
  int dims = static_cast<int>(io.GetNumberOfDimensions());
  while (dims > 2 && io.GetDimensions(dims - 1) == 1) --dims;
  if (dims > 3) {
    std::string size;
    for (int axis = 0; axis < dims; ++axis)
      size += fmt::format("{}{}", axis ? " x " : "", io.GetDimensions(axis));
    throw Error(fmt::format("'{}' is {}-D ({}), expected a 2-D or 3-D image", path.string(), dims, size))
        .hint("take one volume of it");
  }
  if (dims < 2) fail("'{}' is {}-D, expected a 2-D or 3-D image", path.string(), dims);
  Grid grid;
  grid.dims = dims;
  for (int axis = 0; axis < dims; ++axis) {
    if (io.GetDimensions(axis) < 1) fail("'{}' has no voxels along axis {}", path.string(), axis);
    grid.size[axis] = static_cast<std::int64_t>(io.GetDimensions(axis));
    grid.spacing[axis] = io.GetSpacing(axis);
    grid.origin[axis] = io.GetOrigin(axis);
    const auto column = io.GetDirection(axis);
    for (int row = 0; row < dims; ++row) grid.direction[row][axis] = column[row];
  }
  if (dims == 2 && std::abs(determinant(grid.direction)) < 1e-6) {
    // A slice cut across the third world axis has no 2-D direction of its own.
    log::warn("'{}' is one slice that does not lie in the first two world axes; its own axes are used",
              path.string());
    grid.direction = kIdentity3;
  }
  try {
    grid.validate();
  } catch (Error& error) {
    throw error.within(fmt::format("'{}' has an unusable geometry", path.string()))
        .hint("repair its header");
  }
  return grid;
}

// A header may claim anything; gzip shrinks by at most about 1032, other single files not at all.
void require_plausible_size(const Path& path, const itk::ImageIOBase& io) {
  constexpr double kMostBytes = 256.0 * (1ULL << 30);
  constexpr double kGzipLimit = 1100.0;
  double claimed = static_cast<double>(io.GetComponentSize()) * io.GetNumberOfComponents();
  for (unsigned axis = 0; axis < io.GetNumberOfDimensions(); ++axis)
    claimed *= static_cast<double>(io.GetDimensions(axis));
  std::error_code problem;
  const auto actual = static_cast<double>(std::filesystem::file_size(path, problem));
  const std::string extension = full_extension(path);
  const bool whole = extension == ".nii";
  const bool packed = extension == ".nii.gz" || extension == ".nrrd" || extension == ".mha";
  if (claimed > kMostBytes || (whole && claimed > actual) || (packed && claimed > actual * kGzipLimit))
    throw Error(fmt::format("'{}' is truncated or its header is wrong: it claims {:.4g} bytes of voxels, "
                            "the file has {:.0f}", path.string(), claimed, actual))
        .hint("copy it again from its source");
}

// ITK's errors say where in ITK they arose; the user needs the file and one reason.
template <class Action>
auto translated(const Path& path, const char* doing, Action&& action) {
  try {
    return action();
  } catch (const itk::ExceptionObject& error) {
    std::string reason = error.GetDescription();
    reason = reason.substr(0, reason.find('\n'));
    if (const auto colon = reason.rfind("): "); colon != std::string::npos) reason = reason.substr(colon + 3);
    throw Error(fmt::format("cannot {} '{}': {}", doing, path.string(), reason))
        .hint("is the file damaged or truncated?");
  } catch (const std::bad_alloc&) {
    fail("cannot {} '{}': not enough memory", doing, path.string());
  }
}

Format read_information(const Path& path) {
  require_file(path);
  return translated(path, "read", [&] {
    Format format = open_format(path);
    format.io->SetFileName(path.string());
    format.io->ReadImageInformation();
    return format;
  });
}

struct RawImage {
  ImageHeader header;
  Component type;
  std::vector<std::byte> bytes;
};

ImageHeader header_of(const Format& format, const Path& path) {
  ImageHeader header;
  header.grid = grid_of(*format.io, path);
  header.format = format.name;
  header.type = type_name(format.io->GetComponentType());
  header.components = static_cast<int>(format.io->GetNumberOfComponents());
  header.integer = header.type.find("int") != std::string::npos;
  const auto pixel = format.io->GetPixelType();
  if (pixel == itk::IOPixelEnum::RGB || pixel == itk::IOPixelEnum::RGBA)
    throw Error(fmt::format("'{}' is a colour image ({} components), expected one value a voxel",
                            path.string(), header.components))
        .hint("convert it to grey values");
  if (pixel == itk::IOPixelEnum::COMPLEX)
    throw Error(fmt::format("'{}' has complex values, expected real ones", path.string()))
        .hint("take its magnitude");
  return header;
}

RawImage read_raw(const Path& path, bool vectors) {
  const Format format = read_information(path);
  RawImage raw;
  raw.header = header_of(format, path);
  const int expected = vectors ? raw.header.grid.dims : 1;
  if (raw.header.components != expected)
    fail("'{}' has {} values a voxel, expected {} ({})", path.string(), raw.header.components, expected,
         vectors ? "a displacement field" : "an image; is it a displacement field?");
  require_plausible_size(path, *format.io);
  raw.type = format.io->GetComponentType();
  translated(path, "read", [&] {
    auto& io = *format.io;
    itk::ImageIORegion region(io.GetNumberOfDimensions());
    for (unsigned axis = 0; axis < io.GetNumberOfDimensions(); ++axis) {
      region.SetIndex(axis, 0);
      region.SetSize(axis, io.GetDimensions(axis));
    }
    io.SetIORegion(region);
    raw.bytes.resize(static_cast<std::size_t>(io.GetImageSizeInBytes()));
    io.Read(raw.bytes.data());
    return 0;
  });
  return raw;
}

bool is_dicom_folder(const Path& path) {
  std::error_code problem;
  return std::filesystem::is_directory(path, problem);
}

using ItkVolume = itk::Image<float, 3>;

ItkVolume::Pointer read_dicom_series(const Path& folder) {
  silence_itk();
  return translated(folder, "read the DICOM series in", [&] {
    auto names = itk::GDCMSeriesFileNames::New();
    names->SetUseSeriesDetails(true);
    names->SetDirectory(folder.string());
    const auto series = names->GetSeriesUIDs();
    if (series.empty()) fail("the folder '{}' holds no DICOM series", folder.string());
    if (series.size() > 1)
      throw Error(fmt::format("the folder '{}' holds {} DICOM series, expected one", folder.string(),
                              series.size()))
          .hint("keep each series in a folder of its own");
    auto reader = itk::ImageSeriesReader<ItkVolume>::New();
    reader->SetImageIO(itk::GDCMImageIO::New());
    reader->SetFileNames(names->GetFileNames(series.front()));
    reader->ForceOrthogonalDirectionOff();
    reader->Update();
    ItkVolume::Pointer volume = reader->GetOutput();
    volume->DisconnectPipeline();
    return volume;
  });
}

Image dicom_image(const Path& folder) {
  const auto volume = read_dicom_series(folder);
  Grid grid;
  const auto size = volume->GetLargestPossibleRegion().GetSize();
  for (int axis = 0; axis < 3; ++axis) {
    grid.size[axis] = static_cast<std::int64_t>(size[axis]);
    grid.spacing[axis] = volume->GetSpacing()[axis];
    grid.origin[axis] = volume->GetOrigin()[axis];
    for (int row = 0; row < 3; ++row) grid.direction[row][axis] = volume->GetDirection()[row][axis];
  }
  grid.validate();
  Image image(grid);
  std::copy_n(volume->GetBufferPointer(), image.values.size(), image.values.begin());
  return image;
}

void require_finite(const std::vector<float>& values, const Grid& grid, const Path& path) {
  std::int64_t bad = 0, first = -1;
  for (std::size_t v = 0; v < values.size(); ++v)
    if (!std::isfinite(values[v]) && bad++ == 0) first = static_cast<std::int64_t>(v) % grid.voxels();
  if (bad == 0) return;
  throw Error(fmt::format("'{}' has {} values that are NaN or infinite, the first at voxel ({}, {}, {})",
                          path.string(), bad, first % grid.size[0], first / grid.size[0] % grid.size[1],
                          first / (grid.size[0] * grid.size[1])))
      .hint("replace them, e.g. by 0");
}

}  // namespace

ImageHeader read_header(const Path& path) {
  if (is_dicom_folder(path)) {
    const Image image = dicom_image(path);
    return {image.grid, "DICOM", "float32", 1, false};
  }
  return header_of(read_information(path), path);
}

Image read_image(const Path& path) {
  Image image;
  if (is_dicom_folder(path)) {
    image = dicom_image(path);
  } else {
    const RawImage raw = read_raw(path, false);
    image = Image(raw.header.grid);
    with_component_type(raw.type, raw.bytes.data(), [&](const auto* from) {
      std::transform(from, from + image.values.size(), image.values.begin(),
                     [](auto value) { return static_cast<float>(value); });
    });
  }
  require_finite(image.values, image.grid, path);
  return image;
}

Labels read_labels(const Path& path) {
  const RawImage raw = read_raw(path, false);
  Labels labels(raw.header.grid);
  with_component_type(raw.type, raw.bytes.data(), [&](const auto* from) {
    for (std::size_t v = 0; v < labels.values.size(); ++v) {
      const auto value = static_cast<double>(from[v]);
      if (!(std::abs(value) <= std::numeric_limits<std::int32_t>::max()) || value != std::floor(value))
        throw Error(fmt::format("'{}' is not a label map: it has the value {:g}, expected whole numbers",
                                path.string(), value))
            .hint("is it an intensity image or a probability map?");
      labels.values[v] = static_cast<std::int32_t>(value);
    }
  });
  return labels;
}

VectorImage read_vectors(const Path& path) {
  const RawImage raw = read_raw(path, true);
  VectorImage vectors(raw.header.grid);
  const auto voxels = static_cast<std::size_t>(raw.header.grid.voxels());
  const int components = raw.header.grid.dims;
  with_component_type(raw.type, raw.bytes.data(), [&](const auto* from) {
    for (std::size_t v = 0; v < voxels; ++v)
      for (int c = 0; c < components; ++c)
        vectors.component(c)[v] = static_cast<float>(from[v * components + c]);
  });
  require_finite(vectors.values, vectors.grid, path);
  return vectors;
}

void require_image_extension(const Path& path) {
  const std::string extension = full_extension(path);
  if (extension == ".nii" || extension == ".nii.gz" || extension == ".nrrd" || extension == ".mha") return;
  throw Error(fmt::format("'{}' does not end in an image format that can be written", path.string()),
              ExitCode::usage)
      .hint("expected .nii.gz, .nii, .nrrd or .mha");
}

namespace {

template <class T>
constexpr Component component_of() {
  if constexpr (std::is_same_v<T, float>) return Component::FLOAT;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Component::UCHAR;
  if constexpr (std::is_same_v<T, std::uint16_t>) return Component::USHORT;
  if constexpr (std::is_same_v<T, std::int32_t>) return Component::INT;
}

template <class T>
void write_raw(const Path& path, const Grid& grid, const T* values, int components) {
  require_image_extension(path);
  silence_itk();
  const std::string extension = full_extension(path);
  itk::ImageIOBase::Pointer io;
  if (extension == ".nrrd") {
    io = itk::NrrdImageIO::New().GetPointer();
  } else if (extension == ".mha") {
    io = itk::MetaImageIO::New().GetPointer();
  } else {
    io = itk::NiftiImageIO::New().GetPointer();
  }
  AtomicFile file(path);
  // ITK compresses NIfTI on one thread at zlib's slow default: it writes it plain, we compress.
  const bool packed = extension == ".nii.gz";
  AtomicFile plain(path.parent_path() / (stem_of(path) + ".nii"));
  translated(path, "write", [&] {
    const auto dims = static_cast<unsigned>(grid.dims);
    io->SetFileName((packed ? plain : file).path().string());
    io->SetNumberOfDimensions(dims);
    io->SetComponentType(component_of<T>());
    io->SetNumberOfComponents(static_cast<unsigned>(components));
    io->SetPixelType(components == 1 ? itk::IOPixelEnum::SCALAR : itk::IOPixelEnum::VECTOR);
    itk::ImageIORegion region(dims);
    for (unsigned axis = 0; axis < dims; ++axis) {
      io->SetDimensions(axis, static_cast<itk::SizeValueType>(grid.size[axis]));
      io->SetSpacing(axis, grid.spacing[axis]);
      io->SetOrigin(axis, grid.origin[axis]);
      std::vector<double> column(dims);
      for (unsigned row = 0; row < dims; ++row) column[row] = grid.direction[row][axis];
      io->SetDirection(axis, column);
      region.SetIndex(axis, 0);
      region.SetSize(axis, static_cast<itk::SizeValueType>(grid.size[axis]));
    }
    io->SetIORegion(region);
    io->SetUseCompression(extension != ".nii");
    io->SetCompressionLevel(3);  // a third of the time of level 6 for two per cent more bytes
    io->Write(values);
    return 0;
  });
  if (packed) gzip_file(plain.path(), file.path());
  file.commit();
}

}  // namespace

void write_image(const Path& path, const Image& image) {
  write_raw(path, image.grid, image.values.data(), 1);
}

void write_labels(const Path& path, const Labels& labels) {
  const auto [low, high] = std::minmax_element(labels.values.begin(), labels.values.end());
  const auto write_as = [&]<class T>(T) {
    const std::vector<T> narrow(labels.values.begin(), labels.values.end());
    write_raw(path, labels.grid, narrow.data(), 1);
  };
  if (*low < 0 || *high > 65535) return write_raw(path, labels.grid, labels.values.data(), 1);
  if (*high > 255) return write_as(std::uint16_t{});
  write_as(std::uint8_t{});
}

void write_vectors(const Path& path, const VectorImage& vectors) {
  const auto voxels = static_cast<std::size_t>(vectors.grid.voxels());
  const int components = vectors.grid.dims;
  std::vector<float> interleaved(voxels * components);
  for (std::size_t v = 0; v < voxels; ++v)
    for (int c = 0; c < components; ++c) interleaved[v * components + c] = vectors.component(c)[v];
  write_raw(path, vectors.grid, interleaved.data(), components);
}

}  // namespace aladdin
