#include "aladdin/image/io.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aladdin/core/error.h"
#include "aladdin/image/nifti_file.h"
#include "aladdin/image/raw_image.h"

namespace aladdin {

void require_plausible_size(const Path& path, double claimed_bytes) {
  constexpr double kMostBytes = 256.0 * (1ULL << 30);
  if (claimed_bytes <= kMostBytes && claimed_bytes <= most_stored_bytes(path)) return;
  throw Error(fmt::format("'{}' is truncated or its header is wrong: it claims {:.4g} bytes of "
                          "voxels, the file has {}",
                          path.string(), claimed_bytes, bytes_on_disk(path)))
      .hint("copy it again from its source");
}

void refuse_dimensions(const Path& path, const std::vector<std::int64_t>& size) {
  std::string text;
  for (const auto n : size) text += fmt::format("{}{}", text.empty() ? "" : " x ", n);
  throw Error(fmt::format("'{}' is {}-D ({}), expected a 2-D or 3-D image", path.string(),
                          size.size(), text))
      .hint(size.size() > 3 ? "take one volume of it" : "is it an image at all?");
}

void refuse_shear(const Path& path) {
  throw Error(fmt::format("'{}' has an unusable geometry: its axes are not at right angles (shear)",
                          path.string()))
      .hint("resample it onto a grid without shear, or give it a qform");
}

Grid usable_grid(Grid grid, const Path& path) {
  try {
    grid.validate();
  } catch (Error& error) {
    throw error.within(fmt::format("'{}' has an unusable geometry", path.string()))
        .hint("repair its header");
  }
  constexpr double kRounding = 1e-3;  // of cosines written with a few digits
  const Mat3 axes = transpose(grid.direction);
  for (int axis = 0; axis < 3; ++axis) {
    if (!(std::abs(norm(axes[axis]) - 1) <= 10 * kRounding))
      throw Error(fmt::format("'{}' has an unusable geometry: the direction of axis {} has length "
                              "{:g}, expected 1",
                              path.string(), axis, norm(axes[axis])))
          .hint("repair its header");
    for (int other = 0; other < axis; ++other)
      if (!(std::abs(dot(axes[axis], axes[other])) <= kRounding)) refuse_shear(path);
  }
  return grid;
}

namespace {

void require_components(const ImageHeader& header, bool vectors, const Path& path) {
  const int expected = vectors ? header.grid.dims : 1;
  if (header.components == expected) return;
  fail("'{}' has {} values per voxel, expected {} ({})", path.string(), header.components, expected,
       vectors ? "a displacement field" : "an image; is it a displacement field?");
}

RawImage read_raw(const Path& path, bool vectors, const std::optional<NiftiHeader>& nifti) {
  if (!nifti) {
    RawImage raw = read_itk(path);
    require_components(raw.header, vectors, path);
    return raw;
  }
  RawImage raw;
  raw.header = describe_nifti(path, *nifti);
  require_components(raw.header, vectors, path);
  read_nifti_voxels(path, *nifti, raw);
  return raw;
}

RawImage read_scalars(const Path& path) {
  require_file(path);
  return read_raw(path, false, read_nifti_header(path));
}

void require_finite(const std::vector<float>& values, const Grid& grid, const Path& path) {
  std::int64_t bad = 0, first = -1;
  for (std::size_t v = 0; v < values.size(); ++v)
    if (!std::isfinite(values[v]) && bad++ == 0)
      first = static_cast<std::int64_t>(v) % grid.voxels();
  if (bad == 0) return;
  throw Error(
      fmt::format("'{}' has {} values that are NaN or infinite, the first at voxel ({}, {}, {})",
                  path.string(), bad, first % grid.size[0], first / grid.size[0] % grid.size[1],
                  first / (grid.size[0] * grid.size[1])))
      .hint("replace them, e.g. by 0");
}

void to_label(double value, std::int32_t& label, const Path& path) {
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();
  if (std::isfinite(value) && value == std::floor(value) && std::abs(value) > kMost)
    throw Error(fmt::format("'{}' has the label {:.0f}, which does not fit a 32-bit integer",
                            path.string(), value))
        .hint("renumber its labels");
  if (!(std::abs(value) <= kMost) || value != std::floor(value))
    throw Error(
        fmt::format("'{}' is not a label map: it has the value {:g}, expected whole numbers",
                    path.string(), value))
        .hint("is it an intensity image or a probability map?");
  if (value < 0)
    throw Error(
        fmt::format("'{}' has the label {:.0f}, expected none below 0", path.string(), value))
        .hint("renumber its labels; 0 is the background");
  label = static_cast<std::int32_t>(value);
}

}  // namespace

ImageHeader read_header(const Path& path) {
  if (is_folder(path)) return dicom_header(path);
  require_file(path);
  const auto nifti = read_nifti_header(path);
  return nifti ? describe_nifti(path, *nifti) : itk_header(path);
}

std::optional<VolumesHeader> read_volumes_header(const Path& path) {
  if (is_folder(path)) return std::nullopt;
  require_file(path);
  auto nifti = read_nifti_header(path, true);
  if (!nifti || nifti->size.size() != 4 || nifti->size[3] < 2) return std::nullopt;
  const std::int64_t count = nifti->size[3];
  nifti->size.resize(3);
  return VolumesHeader{describe_nifti(path, *nifti), count};
}

Image read_image(const Path& path) {
  Image image;
  if (is_folder(path)) {
    image = read_dicom(path);
  } else {
    const RawImage raw = read_scalars(path);
    image = Image(raw.header.grid);
    const bool scaled = raw.slope != 1 || raw.intercept != 0;
    with_scalar_type(raw.type, raw.bytes.data(), [&](const auto* from) {
      std::transform(from, from + image.values.size(), image.values.begin(), [&](auto value) {
        return static_cast<float>(scaled ? raw.slope * static_cast<double>(value) + raw.intercept
                                         : value);
      });
    });
  }
  require_finite(image.values, image.grid, path);
  return image;
}

Labels read_labels(const Path& path) {
  Labels labels;
  if (is_folder(path)) {
    const Image image = read_dicom(path);
    labels = Labels(image.grid);
    for (std::size_t v = 0; v < labels.values.size(); ++v)
      to_label(image.values[v], labels.values[v], path);
    return labels;
  }
  const RawImage raw = read_scalars(path);
  labels = Labels(raw.header.grid);
  with_scalar_type(raw.type, raw.bytes.data(), [&](const auto* from) {
    for (std::size_t v = 0; v < labels.values.size(); ++v)
      to_label(raw.slope * static_cast<double>(from[v]) + raw.intercept, labels.values[v], path);
  });
  return labels;
}

VectorImage read_vectors(const Path& path) {
  require_file(path);
  const auto nifti = read_nifti_header(path);
  const RawImage raw = read_raw(path, true, nifti);
  VectorImage vectors(raw.header.grid);
  const auto voxels = static_cast<std::size_t>(raw.header.grid.voxels());
  const int components = raw.header.grid.dims;
  with_scalar_type(raw.type, raw.bytes.data(), [&](const auto* from) {
    for (std::size_t v = 0; v < voxels; ++v)
      for (int c = 0; c < components; ++c)
        vectors.component(c)[v] = static_cast<float>(
            raw.slope * static_cast<double>(from[v * components + c]) + raw.intercept);
  });
  if (nifti && raw.header.vectors != VectorKind::displacements)
    to_lps_displacement(path, *nifti, vectors);
  require_finite(vectors.values, vectors.grid, path);
  return vectors;
}

std::vector<Image> read_volumes(const Path& path) {
  require_file(path);
  const auto nifti = read_nifti_header(path, true);
  if (!nifti || nifti->size.size() != 4)
    fail("'{}' is not a 4-D NIfTI, expected several volumes", path.string());
  constexpr std::int64_t kMostVolumes = 65536;  // each takes more memory than its voxels
  if (nifti->size[3] > kMostVolumes)
    fail("'{}' has {} volumes, expected at most {}", path.string(), nifti->size[3], kMostVolumes);
  RawImage raw;
  read_nifti_voxels(path, *nifti, raw);
  const Grid grid = nifti_grid(path, *nifti, nifti->size[2] == 1 ? 2 : 3);
  std::vector<Image> volumes(static_cast<std::size_t>(nifti->size[3]), Image(grid));
  with_scalar_type(raw.type, raw.bytes.data(), [&](const auto* from) {
    for (Image& volume : volumes)
      for (float& value : volume.values)
        value = static_cast<float>(raw.slope * static_cast<double>(*from++) + raw.intercept);
  });
  for (const Image& volume : volumes) require_finite(volume.values, grid, path);
  return volumes;
}

}  // namespace aladdin
