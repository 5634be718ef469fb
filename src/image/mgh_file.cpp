#include "aladdin/image/mgh_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "aladdin/image/gzip_writer.h"

namespace aladdin {
namespace {

constexpr std::size_t kHeader = 284;

struct TypeCode {
  int code;
  Scalar type;
};
constexpr TypeCode kTypes[] = {{0, Scalar::uint8},
                               {1, Scalar::int32},
                               {3, Scalar::float32},
                               {4, Scalar::int16},
                               {10, Scalar::uint16}};

std::uint32_t word_at(const std::byte* bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof word);
  return __builtin_bswap32(word);
}
int integer_at(const std::byte* bytes) { return static_cast<int>(word_at(bytes)); }
double float_at(const std::byte* bytes) { return std::bit_cast<float>(word_at(bytes)); }

// Their axes are RAS; index size / 2 is at `middle`.
Grid grid_of(const std::byte* header, const Path& path) {
  Grid grid;
  for (int axis = 0; axis < 3; ++axis) grid.size[axis] = integer_at(header + 4 + 4 * axis);
  Vec3 spacing{1, 1, 1}, middle{0, 0, 0};
  Mat3 axes{{{-1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};  // one axis a row
  if (header[28] != std::byte{0} || header[29] != std::byte{0}) {
    for (int axis = 0; axis < 3; ++axis) {
      spacing[axis] = float_at(header + 30 + 4 * axis);
      middle[axis] = float_at(header + 78 + 4 * axis);
      for (int row = 0; row < 3; ++row)
        axes[axis][row] = float_at(header + 42 + 12 * axis + 4 * row);
    }
  }
  grid.spacing = spacing;
  for (int axis = 0; axis < 3; ++axis)
    for (int row = 0; row < 3; ++row)
      grid.direction[row][axis] = (row < 2 ? -1 : 1) * axes[axis][row];
  const Vec3 half{0.5 * static_cast<double>(grid.size[0]), 0.5 * static_cast<double>(grid.size[1]),
                  0.5 * static_cast<double>(grid.size[2])};
  grid.origin = Vec3{-middle[0], -middle[1], middle[2]} - grid.index_to_point() * half;
  grid.dims = grid.size[2] == 1 ? 2 : 3;
  return usable_grid(grid.dims == 2 ? slice_grid(grid) : grid, path);
}

struct Header {
  VolumesHeader volumes;
  Scalar type = Scalar::float32;
};

Header parse(const std::byte* bytes, const Path& path) {
  const int version = integer_at(bytes);
  if ((version & 0xff) == 1 && version >> 8 != 0)
    throw Error(fmt::format("'{}' is a warp of FreeSurfer, which is not supported", path.string()))
        .hint("convert it with FreeSurfer's 'mri_warp_convert --inwarp IN --outitk OUT.nii.gz'");
  if (version != 1)
    throw Error(fmt::format("'{}' is not a volume of FreeSurfer: its version is {}, expected 1",
                            path.string(), version))
        .hint("is the file damaged?");
  const int frames = integer_at(bytes + 16), code = integer_at(bytes + 20);
  double claimed = 1;
  std::vector<std::int64_t> size;
  for (int axis = 0; axis < 3; ++axis) {
    size.push_back(integer_at(bytes + 4 + 4 * axis));
    if (size.back() < 1) fail("'{}' has no voxels along axis {}", path.string(), axis);
    claimed *= static_cast<double>(size.back());
  }
  if (frames < 1) fail("'{}' has {} volumes, expected at least 1", path.string(), frames);
  const auto* type = std::ranges::find(kTypes, code, &TypeCode::code);
  if (type == std::end(kTypes))
    fail("'{}' has the FreeSurfer data type {}, expected 0, 1, 3, 4 or 10", path.string(), code);
  require_plausible_size(path, claimed * frames * static_cast<double>(bytes_of(type->type)));
  Header header;
  header.type = type->type;
  header.volumes.count = frames;
  ImageHeader& each = header.volumes.each;
  each.grid = grid_of(bytes, path);
  each.format = "MGH";
  each.type = name_of(type->type);
  each.integer = is_integer(type->type);
  if (bytes[28] == std::byte{0} && bytes[29] == std::byte{0})
    each.note =
        "the header does not say how it lies in the scanner: its axes are taken as L, I and A";
  return header;
}

Header read_start_of(GzipReader& file, const Path& path) {
  std::array<std::byte, kHeader> bytes{};
  if (file.read(bytes.data(), bytes.size()) < bytes.size())
    throw Error(fmt::format("'{}' is truncated: its header ends too early", path.string()))
        .hint("copy it again from its source");
  return parse(bytes.data(), path);
}

void swap_all(std::byte* bytes, std::size_t count, std::size_t width) {
  for (std::size_t v = 0; width > 1 && v < count; ++v)
    std::reverse(bytes + v * width, bytes + (v + 1) * width);
}

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), &value, sizeof value);
  std::ranges::reverse(raw);
  bytes.replace(at, raw.size(), raw.data(), raw.size());
}

std::string header_bytes(const Grid& grid, Scalar type) {
  std::string bytes(kHeader, '\0');
  put<std::int32_t>(bytes, 0, 1);
  put<std::int32_t>(bytes, 16, 1);
  put<std::int32_t>(bytes, 20, std::ranges::find(kTypes, type, &TypeCode::type)->code);
  put<std::int16_t>(bytes, 28, 1);
  Vec3 half;
  for (int axis = 0; axis < 3; ++axis) {
    half[axis] = 0.5 * static_cast<double>(grid.size[axis]);
    put<std::int32_t>(bytes, 4 + 4 * axis, static_cast<std::int32_t>(grid.size[axis]));
    put(bytes, 30 + 4 * axis, static_cast<float>(grid.spacing[axis]));
    for (int row = 0; row < 3; ++row)
      put(bytes, 42 + 12 * axis + 4 * row,
          static_cast<float>((row < 2 ? -1 : 1) * grid.direction[row][axis]));
  }
  const Vec3 middle = grid.to_point(half);
  for (int row = 0; row < 3; ++row)
    put(bytes, 78 + 4 * row, static_cast<float>((row < 2 ? -1 : 1) * middle[row]));
  return bytes;
}

}  // namespace

bool is_mgh_name(const Path& path) {
  const std::string extension = full_extension(path);
  return extension == ".mgz" || extension == ".mgh" || extension == ".mgh.gz";
}

VolumesHeader read_mgh_header(const Path& path) {
  GzipReader file(path);
  return read_start_of(file, path).volumes;
}

RawImage read_mgh(const Path& path, std::optional<std::int64_t> volume) {
  GzipReader file(path);
  const Header header = read_start_of(file, path);
  RawImage raw;
  raw.header = header.volumes.each;
  raw.type = header.type;
  const std::size_t width = bytes_of(raw.type);
  const std::size_t each = static_cast<std::size_t>(raw.header.grid.voxels()) * width;
  const std::size_t wanted = each * (volume ? 1 : static_cast<std::size_t>(header.volumes.count));
  file.skip(each * static_cast<std::uint64_t>(volume.value_or(0)));
  raw.bytes = file.read_growing(wanted);
  if (raw.bytes.size() < wanted)
    throw Error(fmt::format("'{}' is truncated: it has {} bytes of voxels, expected {}",
                            path.string(), raw.bytes.size(), wanted))
        .hint("copy it again from its source");
  file.finish();
  swap_all(raw.bytes.data(), wanted / width, width);
  return raw;
}

void write_mgh(const Path& path, const Path& beside, const Grid& grid, Scalar type,
               const std::byte* values) {
  if (*std::ranges::max_element(grid.size) > std::numeric_limits<std::int32_t>::max())
    fail("'{}' cannot be written: an axis is too long for FreeSurfer's format", path.string());
  const std::size_t width = bytes_of(type), count = static_cast<std::size_t>(grid.voxels());
  std::string body(reinterpret_cast<const char*>(values), count * width);
  swap_all(reinterpret_cast<std::byte*>(body.data()), count, width);
  FileWriter out(beside, path);
  const std::string head = header_bytes(grid, type);
  if (full_extension(path) == ".mgh") {
    out.write(head);
    out.write(body);
  } else {
    write_gzip(out, head, body, type == Scalar::float32 ? Content::floats : Content::any);
  }
}

}  // namespace aladdin
