#include <itkMetaImageIO.h>
#include <itkNiftiImageIO.h>
#include <itkNrrdImageIO.h>

#include <algorithm>
#include <optional>

#include "aladdin/image/gzip_writer.h"
#include "aladdin/image/io.h"
#include "aladdin/image/itk_error.h"

namespace aladdin {

void require_image_extension(const Path& path) {
  const std::string extension = full_extension(path);
  if (extension == ".nii" || extension == ".nii.gz" || extension == ".nrrd" || extension == ".mha")
    return;
  throw Error(
      fmt::format("'{}' does not end in an image format that can be written", path.string()),
      ExitCode::usage)
      .hint("expected .nii.gz, .nii, .nrrd or .mha");
}

namespace {

template <class T>
constexpr itk::IOComponentEnum component_type_of() {
  if constexpr (std::is_same_v<T, float>) return itk::IOComponentEnum::FLOAT;
  if constexpr (std::is_same_v<T, std::uint8_t>) return itk::IOComponentEnum::UCHAR;
  if constexpr (std::is_same_v<T, std::uint16_t>) return itk::IOComponentEnum::USHORT;
  if constexpr (std::is_same_v<T, std::int32_t>) return itk::IOComponentEnum::INT;
}

template <class T>
void write_raw(const Path& path, const Grid& grid, const T* values, int components) {
  require_image_extension(path);
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
  // ITK's NIfTI writer compresses on one thread at one level; we do it on all of them.
  const bool packed = extension == ".nii.gz";
  AtomicFile plain(Path(path).replace_filename(stem_of(path) + ".nii"));
  itk::Object::GlobalWarningDisplayOff();
  // NIfTI's library is safe for threads, the others are not.
  std::optional<QuietItk> quiet;
  if (!extension.starts_with(".nii")) quiet.emplace();
  translated(path, "write", [&] {
    const auto dims = static_cast<unsigned>(grid.dims);
    io->SetFileName((packed ? plain : file).path().string());
    io->SetNumberOfDimensions(dims);
    io->SetComponentType(component_type_of<T>());
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
    io->SetUseCompression(!extension.starts_with(".nii"));
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
