#include <cstring>

#include "aladdin/image/raw_image.h"

namespace aladdin {
namespace {

constexpr std::string_view kPixels("\xe0\x7f\x10\x00", 4);     // the tag (7fe0,0010), little-endian
constexpr std::string_view kDelimiter("\xfe\xff\xdd\xe0", 4);  // behind pixels in pieces
constexpr std::uint32_t kInPieces = 0xffffffff;

std::uint32_t length_at(std::string_view bytes, std::size_t place) {
  std::uint32_t length = 0;
  if (place + sizeof length <= bytes.size())
    std::memcpy(&length, bytes.data() + place, sizeof length);
  return length;
}

bool ends_early(std::string_view bytes, std::size_t begin, std::uint32_t length) {
  if (length == kInPieces) return bytes.find(kDelimiter, begin) == std::string_view::npos;
  return begin + std::uint64_t{length} > bytes.size();
}

}  // namespace

void require_whole_dicom(const Path& path) {
  const std::string start = read_start(path, 132);
  if (start.size() < 132 || !start.ends_with("DICM")) return;
  const std::string text = read_text(path, std::uint64_t{4} << 30);
  const std::string_view bytes = text;
  bool cut = false, found = false;
  // With their kind and four bytes for the length: the icon of an image has pixels, too.
  for (auto at = bytes.find(kPixels); at != std::string_view::npos;
       at = bytes.find(kPixels, at + 4)) {
    const std::string_view kind = bytes.substr(std::min(at + 4, bytes.size()), 4);
    if (kind != std::string_view("OW\0\0", 4) && kind != std::string_view("OB\0\0", 4)) continue;
    found = true;
    cut |= ends_early(bytes, at + 12, length_at(bytes, at + 8));
  }
  // Without a kind.
  if (const auto at = bytes.find(kPixels); !found && at != std::string_view::npos)
    cut = ends_early(bytes, at + 8, length_at(bytes, at + 4));
  if (cut)
    throw Error(fmt::format("'{}' is truncated: its pixels end before they should", path.string()))
        .hint("copy it again from its source");
}

}  // namespace aladdin
