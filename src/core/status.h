// The line at the bottom of a terminal that says where a long work is.
#pragma once

#include <string>

namespace aladdin::log {

// Stays below all that log.h writes until it is replaced; "" removes it. Nothing where stderr is no
// terminal, and with -q.
void set_status(const std::string& line);

}  // namespace aladdin::log
