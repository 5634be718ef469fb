// What a file is and holds: the facts that `aladdin info` prints, as JSON or for the eye.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "aladdin/core/files.h"

namespace aladdin::app {

using Json = nlohmann::ordered_json;

// "kind" is "image", "labels" or "transform". Throws on a file that is none of them.
Json describe_file(const Path& path);
// The same for the eye, several lines.
std::string format_description(const Json& description);

}  // namespace aladdin::app
