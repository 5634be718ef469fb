#include "aladdin/image/mif_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "aladdin/core/text.h"
#include "aladdin/image/gzip_reader.h"
#include "aladdin/image/gzip_writer.h"

namespace aladdin {
namespace {

constexpr std::string_view kMagic = "mrtrix image";
constexpr std::size_t kMostHeader = 1 << 20;

struct Mif {
  VolumesHeader volumes;
  std::vector<std::int64_t> size;  // four
  std::vector<std::int64_t> stride, start;
  Scalar type = Scalar::float32;
  bool swapped = false;
  double slope = 1, intercept = 0;
  std::uint64_t offset = 0;
};

[[noreturn]] void refuse(const Path& path, const std::string& found) {
  throw Error(fmt::format("cannot read the MRtrix3 image '{}': {}", path.string(), one_line(found)))
      .hint("is the file damaged or truncated?");
}

using Keys = std::map<std::string, std::vector<std::string>>;

Keys parse_lines(const std::string& text, const Path& path) {
  Keys keys;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    std::string line = text.substr(begin, end - begin);
    begin = end == std::string::npos ? text.size() : end + 1;
    line = trim(line);
    if (line == "END") return keys;
    const auto colon = line.find(':');
    if (colon != std::string::npos)
      keys[lower(trim(line.substr(0, colon)))].push_back(trim(line.substr(colon + 1)));
  }
  refuse(path, "its header has no END");
}

std::string one(const Keys& keys, const std::string& key, const Path& path) {
  const auto found = keys.find(key);
  if (found == keys.end() || found->second.size() != 1)
    refuse(path, fmt::format("expected one line '{}:'", key));
  return found->second.front();
}

std::vector<double> numbers_in(const std::string& text, const std::string& key, const Path& path) {
  std::vector<double> numbers;
  for (const auto& word : split(text, ',')) {
    // The spacing of an axis that is none of space may be nan.
    const auto number = lower(trim(word)) == "nan" ? std::nan("") : parse_number(trim(word));
    if (!number) refuse(path, fmt::format("'{}: {}' are not numbers", key, text));
    numbers.push_back(*number);
  }
  return numbers;
}

void parse_size(const Keys& keys, const Path& path, Mif& mif) {
  for (const double n : numbers_in(one(keys, "dim", path), "dim", path)) {
    if (!(n >= 1 && n <= 2147483647.0) || n != std::floor(n))
      refuse(path, fmt::format("'dim: {}' are not sizes", one(keys, "dim", path)));
    mif.size.push_back(static_cast<std::int64_t>(n));
  }
  if (mif.size.size() < 2 || mif.size.size() > 4) refuse_dimensions(path, mif.size);
}

void parse_layout(const Keys& keys, const Path& path, Mif& mif) {
  const std::string text = one(keys, "layout", path);
  const auto words = split(text, ',');
  const std::size_t axes = mif.size.size();
  std::vector<std::size_t> axis_of_rank(axes, axes);
  std::vector<bool> backwards(axes);
  for (std::size_t axis = 0; axis < std::min(axes, words.size()); ++axis) {
    const std::string word = trim(words[axis]);
    const auto rank = parse_integer(word.starts_with('+') ? word.substr(1) : word);
    const long long place = rank ? std::abs(*rank) : -1;
    if (place < 0 || place >= static_cast<long long>(axes) || axis_of_rank[place] != axes)
      refuse(path, fmt::format("'layout: {}' is no order of its axes", text));
    axis_of_rank[place] = axis;
    backwards[axis] = word.starts_with('-');
  }
  if (words.size() != axes || std::ranges::find(axis_of_rank, axes) != axis_of_rank.end())
    refuse(path, fmt::format("'layout: {}' is no order of its axes", text));
  mif.stride.assign(axes, 1);
  mif.start.assign(axes, 0);
  std::int64_t stride = 1;
  for (const std::size_t axis : axis_of_rank) {
    mif.stride[axis] = backwards[axis] ? -stride : stride;
    mif.start[axis] = backwards[axis] ? stride * (mif.size[axis] - 1) : 0;
    stride *= mif.size[axis];
  }
}

void parse_type(const Keys& keys, const Path& path, Mif& mif) {
  static const std::map<std::string, Scalar> kTypes{
      {"int8", Scalar::int8},      {"uint8", Scalar::uint8},   {"int16", Scalar::int16},
      {"uint16", Scalar::uint16},  {"int32", Scalar::int32},   {"uint32", Scalar::uint32},
      {"int64", Scalar::int64},    {"uint64", Scalar::uint64}, {"float32", Scalar::float32},
      {"float64", Scalar::float64}};
  const std::string text = one(keys, "datatype", path);
  std::string name = lower(text);
  mif.swapped = name.ends_with("be");
  if (name.ends_with("be") || name.ends_with("le")) name.resize(name.size() - 2);
  const auto found = kTypes.find(name);
  if (found == kTypes.end())
    fail("'{}' has the MRtrix3 data type '{}', expected integers or floats of 8 to 64 bits",
         path.string(), one_line(text));
  mif.type = found->second;
}

// "scaling: offset,scale"
void parse_scaling(const Keys& keys, const Path& path, Mif& mif) {
  if (!keys.contains("scaling")) return;
  const auto scaling = numbers_in(one(keys, "scaling", path), "scaling", path);
  if (scaling.size() != 2 || !std::isfinite(scaling[0]) || !std::isfinite(scaling[1]))
    refuse(path, "its scaling is not an offset and a scale");
  mif.intercept = scaling[0];
  mif.slope = scaling[1];
}

Grid parse_grid(const Keys& keys, const Path& path, const Mif& mif) {
  const auto spacing = numbers_in(one(keys, "vox", path), "vox", path);
  if (spacing.size() != mif.size.size()) refuse(path, "its vox and its dim differ in number");
  const auto found = keys.find("transform");
  if (found == keys.end() || found->second.size() < 3)
    refuse(path, "expected three lines 'transform:'");
  Grid grid;
  for (int row = 0; row < 3; ++row) {
    const auto numbers = numbers_in(found->second[row], "transform", path);
    if (numbers.size() != 4) refuse(path, "a line 'transform:' has not four numbers");
    const double sign = row < 2 ? -1 : 1;
    for (int axis = 0; axis < 3; ++axis) grid.direction[row][axis] = sign * numbers[axis];
    grid.origin[row] = sign * numbers[3];
  }
  for (std::size_t axis = 0; axis < std::min<std::size_t>(3, spacing.size()); ++axis) {
    grid.size[axis] = mif.size[axis];
    grid.spacing[axis] = spacing[axis];
  }
  grid.dims = grid.size[2] == 1 ? 2 : 3;
  return usable_grid(grid.dims == 2 ? slice_grid(grid) : grid, path);
}

void parse_place(const Keys& keys, const Path& path, Mif& mif) {
  const std::string text = one(keys, "file", path);
  const auto offset = text.starts_with(". ") ? parse_integer(trim(text.substr(2))) : std::nullopt;
  if (!offset || *offset < 0)
    throw Error(
        fmt::format("'{}' keeps its voxels elsewhere ('file: {}'), expected in the same file",
                    path.string(), one_line(text)))
        .hint("convert it with MRtrix3's 'mrconvert IN OUT.mif'");
  mif.offset = static_cast<std::uint64_t>(*offset);
}

Mif parse(const std::string& text, const Path& path) {
  if (!text.starts_with(kMagic)) refuse(path, "it does not begin with 'mrtrix image'");
  const Keys keys = parse_lines(text, path);
  Mif mif;
  parse_size(keys, path, mif);
  parse_layout(keys, path, mif);
  parse_type(keys, path, mif);
  parse_scaling(keys, path, mif);
  parse_place(keys, path, mif);
  double claimed = static_cast<double>(bytes_of(mif.type));
  for (const auto n : mif.size) claimed *= static_cast<double>(n);
  require_plausible_size(path, claimed);
  ImageHeader& each = mif.volumes.each;
  each.grid = parse_grid(keys, path, mif);
  each.format = "MRtrix3";
  each.type = name_of(mif.type);
  each.integer = is_integer(mif.type) && mif.slope == 1 && mif.intercept == 0;
  while (mif.size.size() < 4) {
    mif.size.push_back(1);
    mif.stride.push_back(0);
    mif.start.push_back(0);
  }
  mif.volumes.count = mif.size[3];
  return mif;
}

Mif read_start_of(const Path& path) {
  GzipReader file(path);
  std::string text;
  std::vector<std::byte> piece(1 << 14);
  while (text.find("\nEND") == std::string::npos && text.size() < kMostHeader) {
    const std::size_t got = file.read(piece.data(), piece.size());
    text.append(reinterpret_cast<const char*>(piece.data()), got);
    if (got < piece.size()) break;
  }
  return parse(text, path);
}

}  // namespace

bool is_mif_name(const Path& path) {
  const std::string extension = full_extension(path);
  return extension == ".mif" || extension == ".mif.gz";
}

VolumesHeader read_mif_header(const Path& path) { return read_start_of(path).volumes; }

RawImage read_mif(const Path& path, std::optional<std::int64_t> volume) {
  const Mif mif = read_start_of(path);
  std::size_t values = 1;
  for (const auto n : mif.size) values *= static_cast<std::size_t>(n);
  const std::size_t width = bytes_of(mif.type);
  GzipReader file(path);
  file.skip(mif.offset);
  const std::vector<std::byte> stored = file.read_growing(values * width);
  if (stored.size() < values * width)
    throw Error(fmt::format("'{}' is truncated: it has {} bytes of voxels, expected {}",
                            path.string(), stored.size(), values * width))
        .hint("copy it again from its source");
  file.finish();
  RawImage raw;
  raw.header = mif.volumes.each;
  raw.type = mif.type;
  raw.slope = mif.slope;
  raw.intercept = mif.intercept;
  const std::int64_t first = volume.value_or(0), last = volume ? first + 1 : mif.size[3];
  raw.bytes.resize(values / static_cast<std::size_t>(mif.size[3]) *
                   static_cast<std::size_t>(last - first) * width);
  std::byte* to = raw.bytes.data();
  const auto place = [&](int axis, std::int64_t n) {
    return mif.start[axis] + n * mif.stride[axis];
  };
  for (std::int64_t t = first; t < last; ++t)
    for (std::int64_t k = 0; k < mif.size[2]; ++k)
      for (std::int64_t j = 0; j < mif.size[1]; ++j) {
        const std::int64_t row = place(3, t) + place(2, k) + place(1, j);
        for (std::int64_t i = 0; i < mif.size[0]; ++i, to += width) {
          const std::byte* from =
              stored.data() + static_cast<std::size_t>(row + place(0, i)) * width;
          mif.swapped ? std::reverse_copy(from, from + width, to) : std::copy_n(from, width, to);
        }
      }
  return raw;
}

void write_mif(const Path& path, const Path& beside, const Grid& grid, const float* values,
               std::int64_t volumes) {
  const auto& size = grid.size;
  std::string rows;
  for (int row = 0; row < 3; ++row) {
    const double sign = row < 2 ? -1 : 1;
    const auto& axes = grid.direction[row];
    rows += fmt::format("transform: {},{},{},{}\n", sign * axes[0] + 0.0, sign * axes[1] + 0.0,
                        sign * axes[2] + 0.0, sign * grid.origin[row] + 0.0);
  }
  std::string head = fmt::format(
      "{}\ndim: {},{},{},{}\nvox: {},{},{},1\nlayout: +0,+1,+2,+3\ndatatype: Float32LE\n{}file: . ",
      kMagic, size[0], size[1], size[2], volumes, grid.spacing[0], grid.spacing[1], grid.spacing[2],
      rows);
  const std::size_t offset = (head.size() + 32) / 16 * 16;  // room for the number and END
  head += fmt::format("{}\nEND\n", offset);
  head.resize(offset, '\0');
  static_assert(std::endian::native == std::endian::little);
  const std::string_view body(reinterpret_cast<const char*>(values),
                              static_cast<std::size_t>(grid.voxels() * volumes) * sizeof(float));
  FileWriter out(beside, path);
  if (full_extension(path) == ".mif.gz") return write_gzip(out, head, body, Content::floats);
  out.write(head);
  out.write(body);
}

}  // namespace aladdin
