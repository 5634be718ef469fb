// The facts about a file that `aladdin info` prints, as JSON or as text.
#pragma once

#include <string>

#include "aladdin/core/files.h"
#include "aladdin/transform/chain.h"
#include "json.h"

namespace aladdin::app {

// "kind" is "image", "labels", "transform", "volumes" or "model". Throws on any other file.
Json describe_file(const Path& path);
// The transforms of a chain; of the inverse of a field, what that field is.
Json describe_steps(const Chain& chain);
// The same as text of several lines.
std::string format_description(const Json& description);

}  // namespace aladdin::app
