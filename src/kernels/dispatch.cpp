#include <cstdlib>
#include <string>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "aladdin/kernels/fast/table.h"

namespace aladdin::kernels {

namespace baseline {
extern const FastTable table;
}
namespace avx2 {
extern const FastTable table;
}
namespace avx512 {
extern const FastTable table;
}

namespace {

bool supported(const std::string& level) {
  if (level == "avx512")
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("fma");
  if (level == "avx2") return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return true;
}

const FastTable& choose() {
  const FastTable* const levels[] = {&avx512::table, &avx2::table, &baseline::table};
  if (const char* wanted = std::getenv("ALADDIN_SIMD")) {
    for (const FastTable* level : levels)
      if (level->name == std::string(wanted)) {
        if (!supported(wanted)) fail("ALADDIN_SIMD={}: this processor has no {}", wanted, wanted);
        return *level;
      }
    throw Error(
        fmt::format("ALADDIN_SIMD={} is unknown, expected baseline, avx2 or avx512", wanted),
        ExitCode::usage)
        .hint(did_you_mean(wanted, {"baseline", "avx2", "avx512"}));
  }
  for (const FastTable* level : levels)
    if (supported(level->name)) return *level;
  return baseline::table;
}

}  // namespace

const FastTable& fast() {
  static const FastTable& chosen = choose();
  return chosen;
}

}  // namespace aladdin::kernels
