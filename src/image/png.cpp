#include "aladdin/image/png.h"

#include <zlib.h>

#include <algorithm>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

using Bytes = std::vector<std::uint8_t>;

void append_big_endian(Bytes& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<std::uint8_t>(value >> shift));
}

void append_chunk(Bytes& out, const char* type, const Bytes& data) {
  append_big_endian(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t begin = out.size();
  out.insert(out.end(), type, type + 4);
  out.insert(out.end(), data.begin(), data.end());
  append_big_endian(out, static_cast<std::uint32_t>(
                             crc32(0, out.data() + begin, static_cast<uInt>(out.size() - begin))));
}

Bytes deflated(const Bytes& bytes) {
  uLongf size = compressBound(bytes.size());
  Bytes out(size);
  if (compress2(out.data(), &size, bytes.data(), bytes.size(), 6) != Z_OK)
    fail("zlib cannot compress {} bytes", bytes.size());
  out.resize(size);
  return out;
}

}  // namespace

Bytes encode_png(const Picture& picture) {
  const bool grey = std::all_of(picture.pixels.begin(), picture.pixels.end(),
                                [](const Colour& c) { return c[0] == c[1] && c[1] == c[2]; });
  Bytes header;
  append_big_endian(header, static_cast<std::uint32_t>(picture.width));
  append_big_endian(header, static_cast<std::uint32_t>(picture.height));
  header.insert(header.end(), {8, static_cast<std::uint8_t>(grey ? 0 : 2), 0, 0, 0});
  Bytes rows;
  for (int y = 0; y < picture.height; ++y) {
    rows.push_back(0);  // no filter
    for (int x = 0; x < picture.width; ++x) {
      const Colour& c = picture.at(x, y);
      rows.insert(rows.end(), c.begin(), grey ? c.begin() + 1 : c.end());
    }
  }
  Bytes out{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  append_chunk(out, "IHDR", header);
  append_chunk(out, "IDAT", deflated(rows));
  append_chunk(out, "IEND", {});
  return out;
}

void require_png_extension(const Path& path) {
  if (full_extension(path).ends_with(".png")) return;
  throw Error(fmt::format("'{}' does not end in .png", path.string()), ExitCode::usage)
      .hint("pictures are written as PNG");
}

void write_png(const Path& path, const Picture& picture) {
  require_png_extension(path);
  const Bytes bytes = encode_png(picture);
  write_text(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace aladdin
