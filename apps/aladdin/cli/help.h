// The help texts, made from the declarations.
#pragma once

#include <string>

#include "command.h"

namespace aladdin::app {

std::string help_of_all();
std::string help_of(const Command& command);
// The versions of aladdin and of the libraries it was built with, one per line.
std::string version_text();

}  // namespace aladdin::app
