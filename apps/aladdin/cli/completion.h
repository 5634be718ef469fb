// Completion scripts, made from the declarations.
#pragma once

#include <string>

namespace aladdin::app {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace aladdin::app
