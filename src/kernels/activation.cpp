#include "aladdin/kernels/activation.h"

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/fast/table.h"

namespace aladdin::kernels {

void activation_backward(const float* g, const float* v, const float* b, float slope, float* out,
                         std::int64_t count) {
  constexpr std::int64_t kRange = 65536;
  parallel_ranges(count, kRange, [=](std::int64_t begin, std::int64_t end) {
    fast().activation_backward(g + begin, v + begin, b ? b + begin : nullptr, slope, out + begin,
                               end - begin);
  });
}

}  // namespace aladdin::kernels
