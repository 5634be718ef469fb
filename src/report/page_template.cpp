#include "aladdin/report/page_template.h"

// ALADDIN_PAGE_FILE, ALADDIN_STATS_PAGE_FILE and ALADDIN_ATLAS_PAGE_FILE are what web/build.mjs wrote. The assembler takes them as they are: a
// megabyte as an array of numbers would take the compiler a minute.
#define ALADDIN_EMBED(name, file)     \
  asm("  .section .rodata\n"          \
      "  .global " name               \
      "_begin\n"                      \
      "  .hidden " name               \
      "_begin\n"                      \
      "  .global " name               \
      "_end\n"                        \
      "  .hidden " name "_end\n" name \
      "_begin:\n"                     \
      "  .incbin \"" file "\"\n" name \
      "_end:\n"                       \
      "  .byte 0\n"                   \
      "  .previous\n")

ALADDIN_EMBED("aladdin_page", ALADDIN_PAGE_FILE);
ALADDIN_EMBED("aladdin_stats_page", ALADDIN_STATS_PAGE_FILE);
ALADDIN_EMBED("aladdin_atlas_page", ALADDIN_ATLAS_PAGE_FILE);

extern "C" const char aladdin_page_begin[];
extern "C" const char aladdin_page_end[];
extern "C" const char aladdin_stats_page_begin[];
extern "C" const char aladdin_stats_page_end[];
extern "C" const char aladdin_atlas_page_begin[];
extern "C" const char aladdin_atlas_page_end[];

namespace aladdin::report {

std::string_view page_template() {
  return {aladdin_page_begin, static_cast<std::size_t>(aladdin_page_end - aladdin_page_begin)};
}

std::string_view stats_page_template() {
  return {aladdin_stats_page_begin,
          static_cast<std::size_t>(aladdin_stats_page_end - aladdin_stats_page_begin)};
}

std::string_view atlas_page_template() {
  return {aladdin_atlas_page_begin,
          static_cast<std::size_t>(aladdin_atlas_page_end - aladdin_atlas_page_begin)};
}

std::string fill_template(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  for (;;) {
    const auto begin = text.find("@@");
    const auto end = begin == std::string_view::npos ? begin : text.find("@@", begin + 2);
    if (end == std::string_view::npos) return out + std::string(text);
    const std::string name(text.substr(begin + 2, end - begin - 2));
    const auto value = values.find(name);
    out += text.substr(0, begin);
    if (value == values.end()) {
      out += "@@";
      text.remove_prefix(begin + 2);
      continue;
    }
    out += value->second;
    text.remove_prefix(end + 2);
  }
}

}  // namespace aladdin::report
