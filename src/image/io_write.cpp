#include <itkMetaImageIO.h>
#include <itkNiftiImageIO.h>
#include <itkNrrdImageIO.h>

#include <algorithm>
#include <optional>

#include "aladdin/image/gzip_writer.h"
#include "aladdin/image/io.h"
#include "aladdin/image/itk_error.h"
#include "aladdin/image/nifti_file.h"

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
constexpr Scalar scalar_type_of() {
  if constexpr (std::is_same_v<T, float>) return Scalar::float32;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Scalar::uint8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return Scalar::uint16;
  if constexpr (std::is_same_v<T, std::int32_t>) return Scalar::int32;
}

itk::ImageIOBase::Pointer writer_for(const std::string& extension) {
  if (extension == ".nrrd") return itk::NrrdImageIO::New().GetPointer();
  if (extension == ".mha") return itk::MetaImageIO::New().GetPointer();
  return itk::NiftiImageIO::New().GetPointer();
}

// `values` with the components of a voxel together; several volumes make a fourth axis.
template <class T>
void write_itk(const Path& path, const Path& beside, const Grid& grid, const T* values,
               int components, std::int64_t volumes = 0) {
  const std::string extension = full_extension(path);
  const auto io = writer_for(extension);
  itk::Object::GlobalWarningDisplayOff();
  // NIfTI's library is safe for threads, the others are not.
  std::optional<QuietItk> quiet;
  if (!extension.starts_with(".nii")) quiet.emplace();
  translated(path, "write", [&] {
    const auto dims = static_cast<unsigned>(volumes > 0 ? 4 : grid.dims);
    io->SetFileName(beside.string());
    io->SetNumberOfDimensions(dims);
    io->SetComponentType(component_type_of<T>());
    io->SetNumberOfComponents(static_cast<unsigned>(components));
    io->SetPixelType(components == 1 ? itk::IOPixelEnum::SCALAR : itk::IOPixelEnum::VECTOR);
    itk::ImageIORegion region(dims);
    for (unsigned axis = 0; axis < dims; ++axis) {
      const bool spatial = axis < 3;
      const auto size = static_cast<itk::SizeValueType>(spatial ? grid.size[axis] : volumes);
      io->SetDimensions(axis, size);
      io->SetSpacing(axis, spatial ? grid.spacing[axis] : 1.0);
      io->SetOrigin(axis, spatial ? grid.origin[axis] : 0.0);
      std::vector<double> column(dims, 0.0);
      if (!spatial) column[axis] = 1;
      for (unsigned row = 0; spatial && row < std::min(dims, 3U); ++row)
        column[row] = grid.direction[row][axis];
      io->SetDirection(axis, column);
      region.SetIndex(axis, 0);
      region.SetSize(axis, size);
    }
    io->SetIORegion(region);
    io->SetUseCompression(!extension.starts_with(".nii"));
    io->SetCompressionLevel(3);  // a third of the time of level 6 for two per cent more bytes
    io->Write(values);
    return 0;
  });
}

// `values` component by component.
template <class T>
void write_raw(const Path& path, const Grid& grid, const T* values, int components,
               std::int64_t volumes = 0) {
  require_image_extension(path);
  AtomicFile file(path);
  // ITK's NIfTI writer compresses on one thread at one level; we do it on all of them.
  const std::string extension = full_extension(path);
  const bool packed = extension == ".nii.gz";
  AtomicFile plain(Path(path).replace_filename(stem_of(path) + ".nii"));
  const Path& beside = (packed ? plain : file).path();
  const bool large = *std::max_element(grid.size.begin(), grid.size.end()) > kNifti1MostVoxels;
  if (large && extension.starts_with(".nii")) {
    write_nifti_2(beside, grid, scalar_type_of<T>(), components, values);
  } else if (components == 1) {
    write_itk(path, beside, grid, values, 1, volumes);
  } else {
    const auto voxels = static_cast<std::size_t>(grid.voxels());
    std::vector<T> together(voxels * components);
    for (std::size_t v = 0; v < voxels; ++v)
      for (int c = 0; c < components; ++c) together[v * components + c] = values[c * voxels + v];
    write_itk(path, beside, grid, together.data(), components);
  }
  if (packed)
    gzip_file(plain.path(), file.path(), std::is_same_v<T, float> ? Content::floats : Content::any);
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

void write_volumes(const Path& path, const Grid& grid, const std::vector<float>& values) {
  const std::int64_t volumes = static_cast<std::int64_t>(values.size()) / grid.voxels();
  if (!full_extension(path).starts_with(".nii"))
    fail_usage("'{}' cannot hold several volumes, expected .nii.gz or .nii", path.string());
  write_raw(path, grid, values.data(), 1, volumes);
}

void write_vectors(const Path& path, const VectorImage& vectors) {
  write_raw(path, vectors.grid, vectors.values.data(), vectors.grid.dims);
}

}  // namespace aladdin
