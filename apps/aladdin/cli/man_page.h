// The manual pages, made from the declarations: aladdin(1) and one page per command, in roff.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "command.h"

namespace aladdin::app {

// The environment variables that the program reads, and what they mean.
const std::vector<std::pair<std::string, std::string>>& environment_variables();

// aladdin.1
std::string man_page_of_all();
// aladdin-<name>.1
std::string man_page_of(const Command& command);

}  // namespace aladdin::app
