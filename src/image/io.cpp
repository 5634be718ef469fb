#include "aladdin/image/io.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "aladdin/core/call.h"
#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/image/kept_volumes.h"
#include "aladdin/image/mgh_file.h"
#include "aladdin/image/mif_file.h"
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
      .hint(size.size() > 3 ? "name one of its volumes, counted from 0: 'FILE,0'"
                            : "is it an image at all?");
}

void refuse_shear(const Path& path) {
  throw Error(fmt::format("'{}' has an unusable geometry: its axes are not at right angles (shear)",
                          path.string()))
      .hint("resample it onto a grid without shear with 'aladdin warp --like'");
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
  }
  if (grid.dims == 2 && is_sheared(grid)) refuse_shear(path);
  return grid;
}

namespace {

void require_components(const ImageHeader& header, bool vectors, const Path& path) {
  const int expected = vectors ? header.grid.dims : 1;
  if (header.components == expected) return;
  fail("'{}' has {} values per voxel, expected {} ({})", path.string(), header.components, expected,
       vectors ? "a displacement field" : "an image; is it a displacement field?");
}

std::atomic<NanPolicy> nan_policy{NanPolicy::refuse};

bool nan_is_zero() {
  const Call* call = Call::here();
  return call ? call->nan_is_zero : nan_policy == NanPolicy::zero;
}

// FreeSurfer's and MRtrix3's files, whose volumes lie one after the other.
struct Stack {
  VolumesHeader (*header)(const Path&);
  RawImage (*read)(const Path&, std::optional<std::int64_t>);
};
std::optional<Stack> stack_of(const Path& path) {
  if (is_mgh_name(path)) return Stack{read_mgh_header, read_mgh};
  if (is_mif_name(path)) return Stack{read_mif_header, read_mif};
  return std::nullopt;
}

struct NamedVolume {
  Path file;
  std::optional<std::int64_t> volume;
};
NamedVolume parse_volume(const Path& path) {
  const std::string name = path.string();
  const auto comma = name.rfind(',');
  std::error_code ignored;
  if (comma == std::string::npos || std::filesystem::exists(path, ignored)) return {path, {}};
  const auto volume = parse_integer(name.substr(comma + 1));
  if (!volume || !std::filesystem::exists(name.substr(0, comma), ignored)) return {path, {}};
  return {name.substr(0, comma), *volume};
}

void require_volume(const NamedVolume& wanted, std::int64_t count) {
  if (*wanted.volume >= 0 && *wanted.volume < count) return;
  fail("'{}' has {}, expected one of 0 to {}, not {}", wanted.file.string(),
       counted(count, "volume"), count - 1, *wanted.volume);
}

ImageHeader one_header(const Stack& stack, const NamedVolume& wanted) {
  const VolumesHeader header = stack.header(wanted.file);
  if (wanted.volume) {
    require_volume(wanted, header.count);
  } else if (header.count > 1) {
    const auto& size = header.each.grid.size;
    refuse_dimensions(wanted.file, {size[0], size[1], size[2], header.count});
  }
  return header.each;
}

// The header of a NIfTI or of one of its volumes; nothing for other formats.
std::optional<NiftiHeader> nifti_header_of(const NamedVolume& wanted) {
  auto nifti = read_nifti_header(wanted.file, wanted.volume.has_value());
  if (!wanted.volume) return nifti;
  if (!nifti || nifti->size.size() > 4)
    throw Error(fmt::format("'{}' has no volumes to choose from", wanted.file.string()))
        .hint("expected a 4-D image of NIfTI, FreeSurfer or MRtrix3 before the comma");
  nifti->size.resize(4, 1);
  require_volume(wanted, nifti->size[3]);
  const auto type = nifti_scalar(nifti->datatype);
  const auto skipped = static_cast<double>(*wanted.volume) * static_cast<double>(nifti->size[0]) *
                       static_cast<double>(nifti->size[1]) * static_cast<double>(nifti->size[2]);
  require_plausible_size(wanted.file, skipped);
  if (type)
    nifti->voxel_offset +=
        static_cast<std::int64_t>(skipped) * static_cast<std::int64_t>(bytes_of(*type));
  nifti->size.resize(3);
  return nifti;
}

void require_known_name(const Path& path) {
  const std::string extension = full_extension(path);
  const auto refuse = [&](const char* what, const char* hint) {
    throw Error(fmt::format("'{}' is {}, which cannot be read", path.string(), what)).hint(hint);
  };
  if (extension == ".dcm.gz") refuse("a gzipped DICOM file", "unpack it with gunzip");
  if (extension == ".mnc.gz") refuse("a gzipped MINC file", "unpack it with gunzip");
  if (extension == ".mnc" && read_start(path, 3) == "CDF")
    refuse("a MINC 1 file", "convert it with 'mincconvert -2 IN.mnc OUT.mnc'");
#ifndef ALADDIN_MINC
  if (extension == ".mnc") refuse("a MINC file", "convert it with 'mnc2nii'");
#endif
  if (extension == ".mih")
    refuse("the header of an MRtrix3 image", "convert it with 'mrconvert IN.mih OUT.mif'");
  if (extension == ".head" || extension == ".brik" || extension == ".brik.gz")
    refuse("an image of AFNI", "convert it with '3dAFNItoNIFTI'");
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

RawImage read_scalars_anew(const Path& path) {
  const NamedVolume wanted = parse_volume(path);
  require_file(wanted.file);
  require_known_name(wanted.file);
  if (const auto stack = stack_of(wanted.file)) {
    one_header(*stack, wanted);
    return stack->read(wanted.file, wanted.volume.value_or(0));
  }
  return read_raw(wanted.file, false, nifti_header_of(wanted));
}

std::shared_ptr<const RawImage> read_scalars(const Path& path) {
  return read_or_kept(path, [&] { return read_scalars_anew(path); });
}

// What the user wants for NaN in place of a refusal.
void treat_nan(std::vector<float>& values) {
  if (nan_is_zero())
    for (float& value : values) value = std::isnan(value) ? 0.F : value;
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
      .hint(fmt::format("NaN counts as 0 with {} zero", option_name("nan")));
}

void to_label(double value, std::int32_t& label, const Path& path) {
  if (std::isnan(value) && nan_is_zero()) value = 0;
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

void set_nan_policy(NanPolicy policy) {
  if (Call* call = Call::here())
    call->nan_is_zero = policy == NanPolicy::zero;
  else
    nan_policy = policy;
}

Path file_of_image(const Path& path) { return parse_volume(path).file; }

ImageHeader read_header(const Path& path) {
  if (is_folder(path)) return dicom_header(path);
  const NamedVolume wanted = parse_volume(path);
  require_file(wanted.file);
  require_known_name(wanted.file);
  if (const auto stack = stack_of(wanted.file)) return one_header(*stack, wanted);
  const auto nifti = nifti_header_of(wanted);
  return nifti ? describe_nifti(wanted.file, *nifti) : itk_header(wanted.file);
}

std::optional<VolumesHeader> read_volumes_header(const Path& path) {
  if (is_folder(path) || parse_volume(path).volume) return std::nullopt;
  require_file(path);
  if (const auto stack = stack_of(path)) {
    VolumesHeader header = stack->header(path);
    if (header.count < 2) return std::nullopt;
    return header;
  }
  auto nifti = read_nifti_header(path, true);
  if (!nifti || nifti->size.size() != 4 || nifti->size[3] < 2) return std::nullopt;
  const std::int64_t count = nifti->size[3];
  nifti->size.resize(3);
  VolumesHeader volumes{describe_nifti(path, *nifti), count};
  volumes.each.vectors = nifti_vector_kind(*nifti);
  return volumes;
}

Image read_image(const Path& path) {
  Image image;
  if (is_folder(path)) {
    image = read_dicom(path);
  } else {
    const auto kept = read_scalars(path);
    const RawImage& raw = *kept;
    image = Image(raw.header.grid);
    const bool scaled = raw.slope != 1 || raw.intercept != 0;
    with_scalar_type(raw.type, raw.bytes.data(), [&](const auto* from) {
      std::transform(from, from + image.values.size(), image.values.begin(), [&](auto value) {
        return static_cast<float>(scaled ? raw.slope * static_cast<double>(value) + raw.intercept
                                         : value);
      });
    });
  }
  treat_nan(image.values);
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
  const auto kept = read_scalars(path);
  const RawImage& raw = *kept;
  labels = Labels(raw.header.grid);
  with_scalar_type(raw.type, raw.bytes.data(), [&](const auto* from) {
    for (std::size_t v = 0; v < labels.values.size(); ++v)
      to_label(raw.slope * static_cast<double>(from[v]) + raw.intercept, labels.values[v], path);
  });
  return labels;
}

VectorImage read_vectors(const Path& path) {
  require_file(path);
  require_known_name(path);
  if (stack_of(path))
    fail("'{}' has one value per voxel, expected a displacement field", path.string());
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
  const auto stack = stack_of(path);
  const auto nifti = stack ? std::nullopt : read_nifti_header(path, true);
  if (!stack && (!nifti || nifti->size.size() != 4))
    fail("'{}' is not a 4-D NIfTI, expected several volumes", path.string());
  const std::int64_t count = stack ? stack->header(path).count : nifti->size[3];
  constexpr std::int64_t kMostVolumes = 65536;  // each takes more memory than its voxels
  if (count > kMostVolumes)
    fail("'{}' has {} volumes, expected at most {}", path.string(), count, kMostVolumes);
  RawImage raw;
  if (stack) {
    raw = stack->read(path, std::nullopt);
  } else {
    read_nifti_voxels(path, *nifti, raw);
    raw.header.grid = nifti_grid(path, *nifti, nifti->size[2] == 1 ? 2 : 3);
  }
  const Grid grid = raw.header.grid;
  std::vector<Image> volumes(static_cast<std::size_t>(count), Image(grid));
  with_scalar_type(raw.type, raw.bytes.data(), [&](const auto* from) {
    for (Image& volume : volumes)
      for (float& value : volume.values)
        value = static_cast<float>(raw.slope * static_cast<double>(*from++) + raw.intercept);
  });
  for (const Image& volume : volumes) require_finite(volume.values, grid, path);
  return volumes;
}

}  // namespace aladdin
