// Texts made from the declarations.
#pragma once

#include <string>

#include "command.h"

namespace aladdin::app {

std::string help_of_all();
std::string help_of(const Command& command);
// aladdin and the libraries it was built with, one a line.
std::string version_text();

}  // namespace aladdin::app
