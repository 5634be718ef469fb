// Bytes and names as text of a page: base64, gzip, and the escaping that keeps data from being
// markup.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "aladdin/image/png.h"

namespace aladdin::report {

using Bytes = std::vector<std::uint8_t>;
using Json = nlohmann::ordered_json;

std::string base64(std::span<const std::uint8_t> bytes);

// One gzip member, without a time: the same bytes for the same data.
Bytes gzip(std::span<const std::uint8_t> bytes);

// The element that web/src/volumes.js finds by its name, which is ours and not escaped.
std::string volume_script(std::string_view name, std::span<const std::uint8_t> gzipped);

// "data:image/png;base64,…"
std::string data_uri(const Picture& picture);
std::string data_uri(std::span<const std::uint8_t> png_bytes);

// Text for HTML and SVG, between tags and inside quoted attributes: & < > " ' become references.
// Bytes that are not UTF-8 and control characters, which no page may hold, become U+FFFD.
std::string escape(std::string_view text);

// JSON that may stand inside <script type="application/json">: no "<" in it.
std::string json_for_script(const Json& json);

}  // namespace aladdin::report
