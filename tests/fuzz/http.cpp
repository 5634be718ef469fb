#include "aladdin/report/http.h"
#include "fuzz.h"

using namespace aladdin;

// A path that is found safe stays below the folder that it is joined to.
ALADDIN_FUZZ(data, size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto request = report::parse_request(text);
  for (const std::string& target : {text, request ? request->target : std::string()}) {
    const auto path = report::safe_path(target);
    if (!path) continue;
    const Path whole = "/folder" + *path;
    if (whole.lexically_normal() != whole || path->find('\0') != std::string::npos) std::abort();
  }
  return 0;
}
