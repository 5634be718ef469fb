// The description of a command as 3D Slicer's execution model has it, printed by `aladdin COMMAND --xml`: Slicer lists
// the command as a module and makes its panel.
//
// A switch is a boolean, an enumeration with a default a string-enumeration, a number with a default an integer or a
// double; Slicer passes these always. Everything else is a file, a directory or a string, which Slicer passes only where
// the user gave something. An image argument of one file is an image, so that Slicer hands over a volume it has loaded.
#pragma once

#include <string>

#include "command.h"

namespace aladdin::app {

std::string slicer_description(const Command& command);

}  // namespace aladdin::app
