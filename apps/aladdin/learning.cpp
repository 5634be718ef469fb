#include "learning.h"

#include <dlfcn.h>

#include "aladdin/core/error.h"

namespace aladdin::app {

const Learning& learning() {
  static const Learning* opened = [] {
    // The version is the library's SOVERSION; it is found beside libaladdin.
    void* library = dlopen("libaladdin_learning.so.0", RTLD_NOW | RTLD_GLOBAL);
    if (!library)
      throw Error(fmt::format("the library that trains cannot be loaded: {}", dlerror()))
          .hint("install libaladdin_learning beside libaladdin, and Torch");
    using Entry = const Learning* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(library, kLearningEntry));
    if (!entry) fail("libaladdin_learning is of another version: it has no {}", kLearningEntry);
    return entry();
  }();
  return *opened;
}

}  // namespace aladdin::app
