// Inside this folder only: voxels as a file stores them, before they become floats or labels.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/image/io.h"

namespace aladdin {

enum class Scalar { uint8, int8, uint16, int16, uint32, int32, uint64, int64, float32, float64 };

struct RawImage {
  ImageHeader header;
  Scalar type = Scalar::float32;
  double slope = 1, intercept = 0;  // value = slope * stored + intercept
  std::vector<std::byte> bytes;     // components interleaved, native byte order
};

constexpr std::size_t bytes_of(Scalar type) {
  switch (type) {
    case Scalar::uint8:
    case Scalar::int8:
      return 1;
    case Scalar::uint16:
    case Scalar::int16:
      return 2;
    case Scalar::uint32:
    case Scalar::int32:
    case Scalar::float32:
      return 4;
    default:
      return 8;
  }
}

constexpr const char* name_of(Scalar type) {
  constexpr const char* kNames[] = {"uint8", "int8",   "uint16", "int16",   "uint32",
                                    "int32", "uint64", "int64",  "float32", "float64"};
  return kNames[static_cast<int>(type)];
}

constexpr bool is_integer(Scalar type) { return type < Scalar::float32; }

// Calls use(const T*) with the true type of the bytes.
template <class Use>
void with_scalar_type(Scalar type, const std::byte* bytes, Use&& use) {
  switch (type) {
    case Scalar::uint8:
      return use(reinterpret_cast<const std::uint8_t*>(bytes));
    case Scalar::int8:
      return use(reinterpret_cast<const std::int8_t*>(bytes));
    case Scalar::uint16:
      return use(reinterpret_cast<const std::uint16_t*>(bytes));
    case Scalar::int16:
      return use(reinterpret_cast<const std::int16_t*>(bytes));
    case Scalar::uint32:
      return use(reinterpret_cast<const std::uint32_t*>(bytes));
    case Scalar::int32:
      return use(reinterpret_cast<const std::int32_t*>(bytes));
    case Scalar::uint64:
      return use(reinterpret_cast<const std::uint64_t*>(bytes));
    case Scalar::int64:
      return use(reinterpret_cast<const std::int64_t*>(bytes));
    case Scalar::float32:
      return use(reinterpret_cast<const float*>(bytes));
    case Scalar::float64:
      return use(reinterpret_cast<const double*>(bytes));
  }
}

// stored_bytes.cpp: an upper bound of the bytes of voxels that the files of an image hold.
double most_stored_bytes(const Path& path);
// The bytes of all files of an image, as they are stored.
std::uint64_t bytes_on_disk(const Path& path);
// .hdr, .img, or these and .gz: header and voxels in two files.
bool has_pair_extension(const Path& path);
// The half that ends in `extension`, .hdr or .img: `path` itself, or the one beside it.
std::optional<Path> half_of_pair(const Path& path, const std::string& extension);
// Refuses voxels that cannot be there: a header may claim anything.
void require_plausible_size(const Path& path, double claimed_bytes);

// The checks that every format shares: 2-D or 3-D, a geometry that can be used.
[[noreturn]] void refuse_dimensions(const Path& path, const std::vector<std::int64_t>& size);
[[noreturn]] void refuse_shear(const Path& path);

// slice_grid.cpp: a slice of one voxel's thickness as a 2-D grid, `slice` holding its two axes in
// the three of the world. Distances within the slice stay what they are:
//   it lies in the first two world axes    as it is, without the third coordinate;
//   tilted out of them by up to 60 degrees turned into them by the shortest way, and noted;
//   farther (sagittal, coronal)            on its own axes, directions 1, 0 and 0, 1, and noted.
// The origin follows, so that parallel slices of one scan still lie above each other.
Grid slice_grid(const Grid& slice);
// For ImageHeader::note: such a slice (`dims` 2), or a volume that is as thin as one along another axis than the third.
std::string shape_note(const Grid& grid, int dims);

// itk_image.cpp: everything that ITK reads as a file, in a process of its own (core/apart.h).
ImageHeader itk_header(const Path& path);
RawImage read_itk(const Path& path);
// ITK's IOComponentEnum (an int here, so that this header needs no ITK) as one of ours.
Scalar itk_scalar(int component, const Path& path);
// The error for a file that ends that process.
Error not_survived(const Path& path);
// whole_dicom.cpp: throws where the pixels of a DICOM file end before they should; GDCM would fill them with 0.
void require_whole_dicom(const Path& path);
// dicom.cpp: a folder with one series, likewise.
ImageHeader dicom_header(const Path& folder);
Image read_dicom(const Path& folder);

}  // namespace aladdin
