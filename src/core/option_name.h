// The name of an option in a message of the library. A C++ caller knows the option as a field ("keep_positions"); the
// program, whose flags are named after the fields, asks for flags ("--keep-positions").
#pragma once

#include <string>
#include <string_view>

namespace aladdin {

std::string option_name(std::string_view field);

// From now on option_name() gives flags; for the whole process.
void name_options_as_flags();

}  // namespace aladdin
