#include "aladdin/report/page_template.h"

// ALADDIN_PAGE_FILE is what web/build.mjs wrote. The assembler takes it as it is: a megabyte as an array
// of numbers would take the compiler a minute.
asm(R"(
  .section .rodata
  .global aladdin_page_begin
  .hidden aladdin_page_begin
  .global aladdin_page_end
  .hidden aladdin_page_end
aladdin_page_begin:
  .incbin ")" ALADDIN_PAGE_FILE R"("
aladdin_page_end:
  .byte 0
  .previous
)");

extern "C" const char aladdin_page_begin[];
extern "C" const char aladdin_page_end[];

namespace aladdin::report {

std::string_view page_template() {
  return {aladdin_page_begin, static_cast<std::size_t>(aladdin_page_end - aladdin_page_begin)};
}

}  // namespace aladdin::report
