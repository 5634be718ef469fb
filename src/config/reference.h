// The documentation of all settings and presets, from visit.h and configs/.
#pragma once

#include <string>

namespace aladdin {

// Markdown: a table of settings for each section (name, default, allowed, meaning), then a table of
// what the presets change.
std::string config_reference();

}  // namespace aladdin
