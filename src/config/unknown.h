// Inside this folder only. Names that are not there, with what was probably meant.
#pragma once

#include <string_view>

#include "aladdin/core/error.h"

namespace aladdin {

bool is_section(std::string_view name);

// "there is no setting 'train.rat'; did you mean 'train.rate'?", or the settings of that name in other
// sections.
Error unknown_setting(std::string_view key);
// Also where a key stands outside of any section.
Error unknown_section(std::string_view name);

}  // namespace aladdin
