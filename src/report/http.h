// The part of HTTP/1.1 that serving a page to a browser on this machine needs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace aladdin::report {

struct HttpRequest {
  std::string method, target;
  std::map<std::string, std::string> headers;  // names in lower case
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

// The request line and headers up to the empty line; nothing if they are malformed or a header that
// decides (host) is there twice.
std::optional<HttpRequest> parse_request(std::string_view text);

// The path of a target without its query, %xx decoded; nothing if it does not begin with "/", is not
// decodable, or has an empty, "." or ".." part, a backslash or a control character.
std::optional<std::string> safe_path(std::string_view target);

// Status line, headers and, unless `head_only`, the body.
std::string to_text(const HttpResponse& response, bool head_only);

}  // namespace aladdin::report
