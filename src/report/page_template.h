// Inside this folder only: the page without data, as web/ makes it at build time, with NiiVue, style
// and script inside.
#pragma once

#include <string_view>

namespace aladdin::report {

std::string_view page_template();

}  // namespace aladdin::report
