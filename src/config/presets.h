// Named configurations. They are the files configs/*.toml, held inside the library, so that the
// program works alone. default.toml says all, and a test holds it to config.h; the others fix what they
// are about and leave the rest to the defaults.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aladdin/config/config.h"

namespace aladdin {

// Method by method, ours first: default, paper, reference, fast, …
std::vector<std::string> preset_names();
// Usage error with the nearest match if there is none of this name.
Config preset(std::string_view name);
// The file itself.
std::string_view preset_text(std::string_view name);

}  // namespace aladdin
