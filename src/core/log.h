// Talk to the user: on stderr (stdout is data), or where a call has it (call.h). Verbosity is set once, at start-up.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

namespace aladdin::log {

enum class Level { quiet, normal, verbose };

void set_level(Level level);
Level level();

// From now on every line also goes to the end of this file, with the time, until the program ends (a call: until its end).
void copy_to(const std::filesystem::path& file);

void write_info(const std::string& line);
void write_warning(const std::string& line);
void write_error(const std::string& line);
void write_detail(const std::string& line);  // shown with -v only

// A warning that may come up for every image of many: the first of its kind is written at once, the others are
// counted until tell_repeated(), which main() calls at the end.
void warn_again(const std::string& kind, const std::string& line);
void tell_repeated();

template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  write_info(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  write_warning(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void detail(fmt::format_string<Args...> format, Args&&... args) {
  write_detail(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace aladdin::log
