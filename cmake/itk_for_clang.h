// Debian's ITK 5.2 refuses any compiler but the one that it was built by. This is included before everything else
// when clang compiles (preset `fuzz`): ITK's look at the compiler, which takes clang for GCC 12.
#pragma push_macro("__clang__")
#pragma push_macro("__GNUC__")
#undef __clang__
#undef __GNUC__
#define __GNUC__ 12
#include <itk_compiler_detection.h>
#pragma pop_macro("__GNUC__")
#pragma pop_macro("__clang__")
