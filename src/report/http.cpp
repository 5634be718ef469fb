#include "aladdin/report/http.h"

#include <fmt/format.h>

#include "aladdin/core/text.h"

namespace aladdin::report {
namespace {

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Internal Server Error";
  }
}

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const auto high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (!high || !low) return std::nullopt;
    out += static_cast<char>(16 * *high + *low);
    i += 2;
  }
  return out;
}

}  // namespace

std::optional<HttpRequest> parse_request(std::string_view text) {
  HttpRequest request;
  bool first = true;
  while (!text.empty()) {
    const auto end = text.find("\r\n");
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 2);
    if (first) {
      const auto words = split(line, ' ');
      if (words.size() != 3 || !words[2].starts_with("HTTP/1.")) return std::nullopt;
      request.method = words[0];
      request.target = words[1];
      first = false;
      continue;
    }
    if (line.empty()) return request;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    const std::string name = lower(std::string(line.substr(0, colon)));
    if (!request.headers.emplace(name, trim(line.substr(colon + 1))).second && name == "host")
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> safe_path(std::string_view target) {
  auto path = percent_decode(target.substr(0, target.find_first_of("?#")));
  if (!path || !path->starts_with('/')) return std::nullopt;
  for (const char c : *path)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\') return std::nullopt;
  if (*path == "/") return path;
  for (const auto& part : split(path->substr(1), '/'))
    if (part.empty() || part == "." || part == "..") return std::nullopt;
  return path;
}

std::string to_text(const HttpResponse& response, bool head_only) {
  return fmt::format(
             "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
             "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
             "Cross-Origin-Resource-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n"
             "X-Frame-Options: DENY\r\n\r\n",
             response.status, reason(response.status), response.type, response.body.size()) +
         (head_only ? "" : response.body);
}

}  // namespace aladdin::report
