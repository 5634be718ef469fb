#include <itkMetaImageIO.h>
#include <itkNrrdImageIO.h>

#include <algorithm>
#include <cstring>

#include "aladdin/image/gzip_writer.h"
#include "aladdin/image/io.h"
#include "aladdin/image/itk_error.h"
#include "aladdin/image/mgh_file.h"
#include "aladdin/image/mif_file.h"
#include "aladdin/image/nifti_file.h"

namespace aladdin {

void require_image_extension(const Path& path) {
  const std::string extension = full_extension(path);
  if (extension == ".nii" || extension == ".nii.gz" || extension == ".nrrd" ||
      extension == ".mha" || is_mgh_name(path))
    return;
  throw Error(
      fmt::format("'{}' does not end in an image format that can be written", path.string()),
      ExitCode::usage)
      .hint("expected .nii.gz, .nii, .nrrd, .mha, .mgz or .mgh");
}

namespace {

template <class T>
constexpr Scalar scalar_type_of() {
  if constexpr (std::is_same_v<T, float>) return Scalar::float32;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Scalar::uint8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return Scalar::uint16;
  if constexpr (std::is_same_v<T, std::int16_t>) return Scalar::int16;
  if constexpr (std::is_same_v<T, std::int32_t>) return Scalar::int32;
}

// `values` with the components of a voxel together.
template <class T>
void write_itk(const Path& path, const Path& beside, const Grid& grid, const T* values,
               int components) {
  itk::ImageIOBase::Pointer io;
  if (full_extension(path) == ".nrrd")
    io = itk::NrrdImageIO::New();
  else
    io = itk::MetaImageIO::New();
  const QuietItk quiet;
  translated(path, "write", [&] {
    const auto dims = static_cast<unsigned>(grid.dims);
    io->SetFileName(beside.string());
    io->SetNumberOfDimensions(dims);
    io->SetComponentType(itk::ImageIOBase::MapPixelType<T>::CType);
    io->SetNumberOfComponents(static_cast<unsigned>(components));
    io->SetPixelType(components == 1 ? itk::IOPixelEnum::SCALAR : itk::IOPixelEnum::VECTOR);
    itk::ImageIORegion region(dims);
    for (unsigned axis = 0; axis < dims; ++axis) {
      const auto size = static_cast<itk::SizeValueType>(grid.size[axis]);
      io->SetDimensions(axis, size);
      io->SetSpacing(axis, grid.spacing[axis]);
      io->SetOrigin(axis, grid.origin[axis]);
      std::vector<double> column(dims);
      for (unsigned row = 0; row < dims; ++row) column[row] = grid.direction[row][axis];
      io->SetDirection(axis, column);
      region.SetIndex(axis, 0);
      region.SetSize(axis, size);
    }
    io->SetIORegion(region);
    io->SetUseCompression(true);
    io->SetCompressionLevel(3);  // a third of the time of level 6 for two per cent more bytes
    io->Write(values);
    return 0;
  });
  // MetaIO does not say that the disk is full, NrrdIO not of the last bytes.
  const auto bytes = static_cast<std::size_t>(grid.voxels() * components) * sizeof(T);
  std::vector<std::byte> back;
  try {
    back = read_itk(beside).bytes;
  } catch (const Error&) {
  }
  if (back.size() != bytes || std::memcmp(back.data(), values, bytes) != 0)
    throw Error(
        fmt::format("cannot write '{}': the written file cannot be read back", path.string()))
        .hint("is the disk full?")
        .of_output();
}

template <class T>
void write_nifti(const Path& path, const Path& beside, const Grid& grid, const T* values,
                 int components, std::int64_t volumes, VectorKind kind) {
  const std::string head = nifti_header_bytes(grid, scalar_type_of<T>(), components, volumes, kind);
  const auto count =
      static_cast<std::size_t>(grid.voxels() * components * std::max<std::int64_t>(1, volumes));
  const std::string_view body(reinterpret_cast<const char*>(values), count * sizeof(T));
  FileWriter out(beside, path);
  if (full_extension(path) == ".nii.gz")
    return write_gzip(out, head, body, std::is_same_v<T, float> ? Content::floats : Content::any);
  out.write(head);
  out.write(body);
}

// `values` component by component; several volumes one after the other, NIfTI only.
template <class T>
void write_raw(const Path& path, const Grid& grid, const T* values, int components,
               std::int64_t volumes = 0, VectorKind kind = VectorKind::displacements) {
  require_image_extension(path);
  if (is_sheared(grid) && (components > 1 || !full_extension(path).starts_with(".nii")))
    throw Error(
        fmt::format("'{}' cannot be written on a grid whose axes are sheared", path.string()))
        .hint(components > 1 ? "ITK reads no such field; choose a grid at right angles"
                             : "expected .nii.gz or .nii, or a grid at right angles");
  AtomicFile file(path);
  if (full_extension(path).starts_with(".nii")) {
    write_nifti(path, file.path(), grid, values, components, volumes, kind);
  } else if (is_mgh_name(path)) {
    if (components > 1)
      fail_usage("'{}' cannot hold vectors, expected .nii.gz, .nii, .nrrd or .mha", path.string());
    write_mgh(path, file.path(), grid, scalar_type_of<T>(),
              reinterpret_cast<const std::byte*>(values));
  } else if (components == 1) {
    write_itk(path, file.path(), grid, values, 1);
  } else {
    const auto voxels = static_cast<std::size_t>(grid.voxels());
    std::vector<T> together(voxels * components);
    for (std::size_t v = 0; v < voxels; ++v)
      for (int c = 0; c < components; ++c) together[v * components + c] = values[c * voxels + v];
    write_itk(path, file.path(), grid, together.data(), components);
  }
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
  // FreeSurfer knows unsigned numbers of 16 bits only of late.
  if (*high > 255 && is_mgh_name(path))
    return *high > 32767 ? write_raw(path, labels.grid, labels.values.data(), 1)
                         : write_as(std::int16_t{});
  if (*high > 255) return write_as(std::uint16_t{});
  write_as(std::uint8_t{});
}

void write_volumes(const Path& path, const Grid& grid, const std::vector<float>& values) {
  const std::int64_t volumes = static_cast<std::int64_t>(values.size()) / grid.voxels();
  if (is_mif_name(path)) {
    AtomicFile file(path);
    write_mif(path, file.path(), grid, values.data(), volumes);
    return file.commit();
  }
  if (!full_extension(path).starts_with(".nii"))
    fail_usage("'{}' cannot hold several volumes, expected .nii.gz or .nii", path.string());
  write_raw(path, grid, values.data(), 1, volumes);
}

void write_vectors(const Path& path, const VectorImage& vectors, VectorKind kind) {
  const Grid& grid = vectors.grid;
  if (kind == VectorKind::displacements)
    return write_raw(path, grid, vectors.values.data(), grid.dims);
  if (!full_extension(path).starts_with(".nii"))
    fail_usage("'{}' cannot hold a {}, expected .nii.gz or .nii", path.string(), name_of(kind));
  const bool fsl = kind == VectorKind::fsl_displacements;
  if (grid.dims != 3 && (fsl || kind == VectorKind::spm_positions))
    fail("a {} is 3-D, the transform for '{}' is 2-D", name_of(kind), path.string());
  if (fsl) return write_raw(path, grid, vectors.values.data(), 1, 3, kind);
  write_raw(path, grid, from_lps_displacement(vectors, kind).values.data(), grid.dims, 0, kind);
}

}  // namespace aladdin
