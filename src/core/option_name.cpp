#include "aladdin/core/option_name.h"

#include <algorithm>
#include <atomic>

namespace aladdin {
namespace {

std::atomic<bool> as_flags{false};

}  // namespace

std::string option_name(std::string_view field) {
  std::string name(field);
  if (!as_flags) return name;
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

void name_options_as_flags() { as_flags = true; }

}  // namespace aladdin
