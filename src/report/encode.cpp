#include "aladdin/report/encode.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "aladdin/core/error.h"

namespace aladdin::report {
namespace {

// The length of the UTF-8 sequence at the beginning of `text`, 0 if it is none.
std::size_t sequence_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = at(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((at(i) & 0xC0) != 0x80) return 0;
  if (first == 0xE0 && at(1) < 0xA0) return 0;   // longer than needed
  if (first == 0xED && at(1) >= 0xA0) return 0;  // a surrogate
  if (first == 0xF0 && at(1) < 0x90) return 0;
  if (first == 0xF4 && at(1) >= 0x90) return 0;  // beyond U+10FFFF
  return length;
}

std::string_view escaped(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string base64(std::span<const std::uint8_t> bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (k < have ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= have ? kDigits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

Bytes gzip(std::span<const std::uint8_t> bytes) {
  constexpr int kGzip = 31;
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    fail("zlib cannot compress");
  Bytes out(deflateBound(&stream, bytes.size()));
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) fail("zlib cannot compress {} bytes", bytes.size());
  return out;
}

std::string volume_script(std::string_view name, std::span<const std::uint8_t> gzipped) {
  return fmt::format("<script type=\"text/plain\" id=\"volume-{}\">{}</script>\n", name,
                     base64(gzipped));
}

std::string data_uri(std::span<const std::uint8_t> png_bytes) {
  return "data:image/png;base64," + base64(png_bytes);
}
std::string data_uri(const Picture& picture) { return data_uri(encode_png(picture)); }

std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const auto first = static_cast<std::uint8_t>(text[0]);
    const bool control = (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F;
    if (length == 0 || control)
      out += "\xEF\xBF\xBD";
    else if (const auto reference = escaped(text[0]); !reference.empty())
      out += reference;
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

std::string json_for_script(const Json& json) {
  const std::string plain = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(plain.size());
  for (const char c : plain) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace aladdin::report
