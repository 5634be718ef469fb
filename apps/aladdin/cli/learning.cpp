#include "learning.h"

#include <dlfcn.h>
#include <sys/resource.h>

#include <cstdlib>

#include "aladdin/core/call.h"
#include "aladdin/core/error.h"
#include "aladdin/core/library.h"

namespace aladdin::app {
namespace {

// Below some 0.9 GB OpenBLAS, which comes with Torch, retries for ever when memory is refused.
void require_addresses() {
  constexpr rlim_t kLeast = rlim_t{1} << 30;
  struct rlimit most {};
  if (getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur < kLeast)
    throw Error(
        fmt::format("building needs at least 1 GB of memory, and this process is limited to "
                    "{:.2f} GB",
                    static_cast<double>(most.rlim_cur) / double(kLeast)))
        .hint("raise the limit ('ulimit -v', or the limit of the job)");
}

// Beside libaladdin or where ALADDIN_LEARNING says, with the SOVERSION and by the full path; a libaladdin that came
// without one (a wheel of Python) takes that of the system.
void* open_library() {
  constexpr const char* kName = "libaladdin_learning.so.0";
  const char* named = std::getenv("ALADDIN_LEARNING");
  const Path beside = library_folder() / kName;
  std::error_code ignored;
  const bool alone = !named && Call::here() && !std::filesystem::exists(beside, ignored);
  void* library = dlopen(named ? named : alone ? kName : beside.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    throw Error(fmt::format("the training library cannot be loaded: {}", dlerror()))
        .hint("install libaladdin_learning beside libaladdin, and Torch");
  return library;
}

}  // namespace

const Learning& learning() {
  static const Learning* opened = [] {
    require_addresses();
    // Our own messages replace those of c10d while it waits for others; set these to see them.
    setenv("GLOG_minloglevel", "3", 0);
    setenv("TORCH_CPP_LOG_LEVEL", "FATAL", 0);
    void* library = open_library();
    using Entry = const Learning* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(library, kLearningEntry));
    if (!entry) fail("libaladdin_learning is of another version: it has no {}", kLearningEntry);
    return entry();
  }();
  return *opened;
}

}  // namespace aladdin::app
