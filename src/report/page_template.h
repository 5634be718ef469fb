// Inside this folder only: the pages without data, as web/ makes them at build time, with style and script inside.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace aladdin::report {

// Of a run, with NiiVue.
std::string_view page_template();
// Of a statistical test, without.
std::string_view stats_page_template();
// Of an atlas of covariates, without.
std::string_view atlas_page_template();

// @@NAME@@ in the template becomes the value; what a value holds is never looked at again.
std::string fill_template(std::string_view text, const std::map<std::string, std::string>& values);

}  // namespace aladdin::report
