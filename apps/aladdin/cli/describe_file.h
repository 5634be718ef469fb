// What a file is and holds: the facts that `aladdin info` prints, as JSON or for the eye.
#pragma once

#include <string>

#include "aladdin/core/files.h"
#include "json.h"

namespace aladdin::app {

// "kind" is "image", "labels" or "transform". Throws on a file that is none of them.
Json describe_file(const Path& path);
// The same for the eye, several lines.
std::string format_description(const Json& description);

}  // namespace aladdin::app
