#include "aladdin/core/library.h"

#include <dlfcn.h>

#include "aladdin/core/error.h"

namespace aladdin {

Path library_folder() {
  static const char here = 0;  // any address of this library's
  Dl_info info{};
  std::error_code unknown;
  if (dladdr(&here, &info) == 0 || !info.dli_fname) fail("the path of libaladdin is unknown");
  const Path file = std::filesystem::canonical(info.dli_fname, unknown);
  return (unknown ? Path(info.dli_fname) : file).parent_path();
}

}  // namespace aladdin
