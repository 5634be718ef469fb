// What a command prints: on stdout, or to the call it is a part of (core/call.h).
#pragma once

#include <fmt/format.h>

#include "aladdin/core/call.h"

namespace aladdin::app {

template <class... Args>
void put(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  if (Call* call = Call::here())
    call->print(text);
  else
    fmt::print("{}", text);
}

}  // namespace aladdin::app
