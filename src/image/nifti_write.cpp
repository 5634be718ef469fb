#include <cstring>
#include <fstream>

#include "aladdin/image/nifti_file.h"

namespace aladdin {
namespace {

constexpr std::size_t kVoxelOffset = 544;

int datatype_of(Scalar type) {
  for (int code = 1; code <= 1280; ++code)
    if (nifti_scalar(code) == type) return code;
  fail("NIfTI has no type {}", name_of(type));
}

class Header {
 public:
  template <class T>
  void set(std::size_t offset, T value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
  }
  const std::array<char, kVoxelOffset>& bytes() const { return bytes_; }

 private:
  std::array<char, kVoxelOffset> bytes_{};
};

void set_geometry(const Grid& grid, Header& header) {
  header.set(104, 1.0);  // qfac
  for (int axis = 0; axis < 7; ++axis)
    header.set(112 + 8 * axis, axis < grid.dims ? grid.spacing[axis] : 1.0);
  header.set<std::int32_t>(348, 1);  // the sform's code
  const Mat3 columns = grid.index_to_point();
  for (int row = 0; row < 3; ++row) {
    const double sign = row < 2 ? -1 : 1;  // ours is LPS, NIfTI's RAS
    for (int axis = 0; axis < 3; ++axis)
      header.set(400 + 32 * row + 8 * axis, sign * columns[row][axis]);
    header.set(424 + 32 * row, sign * grid.origin[row]);
  }
  header.set<std::int32_t>(500, 2);  // mm
}

}  // namespace

void write_nifti_2(const Path& path, const Grid& grid, Scalar type, int components,
                   const void* values) {
  Header header;
  header.set<std::int32_t>(0, 540);
  constexpr char kMagic[] = {'n', '+', '2', '\0', '\r', '\n', '\032', '\n'};
  for (std::size_t n = 0; n < sizeof kMagic; ++n) header.set(4 + n, kMagic[n]);
  header.set(12, static_cast<std::int16_t>(datatype_of(type)));
  header.set(14, static_cast<std::int16_t>(8 * bytes_of(type)));
  header.set<std::int64_t>(16, components > 1 ? 5 : grid.dims);
  for (int axis = 0; axis < 7; ++axis)
    header.set<std::int64_t>(24 + 8 * axis, axis < 3    ? grid.size[axis]
                                            : axis == 4 ? components
                                                        : 1);
  header.set<std::int64_t>(168, kVoxelOffset);
  header.set(176, 1.0);  // slope
  set_geometry(grid, header);
  if (components > 1) header.set<std::int32_t>(504, 1007);  // vectors
  std::ofstream out(path, std::ios::binary);
  out.write(header.bytes().data(), kVoxelOffset);
  out.write(static_cast<const char*>(values),
            static_cast<std::streamsize>(static_cast<std::size_t>(grid.voxels() * components) *
                                         bytes_of(type)));
  out.flush();
  if (!out) fail("cannot write '{}': is the disk full?", path.string());
}

}  // namespace aladdin
