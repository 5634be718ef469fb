#include "aladdin/image/nifti_file.h"

#include <algorithm>
#include <cstring>

#include "aladdin/image/gzip_reader.h"

namespace aladdin {
namespace {

std::int64_t values_in(const NiftiHeader& nifti) {
  std::int64_t values = 1;
  for (const auto size : nifti.size) values *= size;
  return values;
}

void swap_all(std::vector<std::byte>& bytes, std::size_t width) {
  for (std::size_t v = 0; v + width <= bytes.size(); v += width)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(v),
                 bytes.begin() + static_cast<std::ptrdiff_t>(v + width));
}

// NIfTI keeps the components of a vector apart; we keep them together, as ITK does.
void interleave(std::vector<std::byte>& bytes, std::size_t width, std::size_t components) {
  const std::size_t voxels = bytes.size() / width / components;
  std::vector<std::byte> together(bytes.size());
  for (std::size_t c = 0; c < components; ++c)
    for (std::size_t v = 0; v < voxels; ++v)
      std::memcpy(&together[(v * components + c) * width], &bytes[(c * voxels + v) * width], width);
  bytes.swap(together);
}

std::vector<std::byte> stored_voxels(const NiftiHeader& nifti, std::size_t wanted) {
  GzipReader file(nifti.voxels);
  file.skip(static_cast<std::uint64_t>(nifti.voxel_offset));
  std::vector<std::byte> bytes = file.read_growing(wanted);
  if (bytes.size() < wanted)
    throw Error(fmt::format("'{}' is truncated: it has {} bytes of voxels, expected {}",
                            nifti.voxels.string(), bytes.size(), wanted))
        .hint("copy it again from its source");
  file.finish();
  return bytes;
}

}  // namespace

void read_nifti_voxels(const Path& path, const NiftiHeader& nifti, RawImage& raw) {
  const auto type = nifti_scalar(nifti.datatype);
  if (!type) fail("'{}' has an unknown NIfTI data type ({})", path.string(), nifti.datatype);
  raw.type = *type;
  raw.slope = nifti.slope;
  raw.intercept = nifti.intercept;
  const auto wanted = static_cast<std::size_t>(values_in(nifti)) * bytes_of(raw.type);
  require_plausible_size(path, static_cast<double>(wanted));
  try {
    raw.bytes = stored_voxels(nifti, wanted);
  } catch (Error& error) {
    if (nifti.voxels == path) throw;
    throw error.within(fmt::format("while reading '{}'", path.string()));
  }
  if (nifti.swapped) swap_all(raw.bytes, bytes_of(raw.type));
  if (raw.header.components > 1)
    interleave(raw.bytes, bytes_of(raw.type), static_cast<std::size_t>(raw.header.components));
}

}  // namespace aladdin
