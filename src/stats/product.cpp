#include "aladdin/stats/product.h"

#include <cstring>

namespace aladdin::stats {
namespace {

using Lane = float __attribute__((vector_size(32)));

inline void load(Lane& lane, const float* from) { std::memcpy(&lane, from, sizeof lane); }

}  // namespace

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
void multiply_panel(const float* rows, std::int64_t count, std::int64_t subjects,
                    const float* weights, float* out) {
  constexpr std::int64_t kRows = 4;
  for (std::int64_t first = 0; first < count; first += kRows) {
    // The last rows may be computed twice, never beyond the end.
    const float* row[kRows];
    for (std::int64_t r = 0; r < kRows; ++r)
      row[r] = rows + (first + r < count ? first + r : count - 1) * subjects;
    Lane a0{}, a1{}, b0{}, b1{}, c0{}, c1{}, d0{}, d1{};
    for (std::int64_t s = 0; s < subjects; ++s) {
      Lane w0, w1;
      load(w0, weights + s * kColumns);
      load(w1, weights + s * kColumns + 8);
      const float a = row[0][s], b = row[1][s], c = row[2][s], d = row[3][s];
      a0 += a * w0, a1 += a * w1;
      b0 += b * w0, b1 += b * w1;
      c0 += c * w0, c1 += c * w1;
      d0 += d * w0, d1 += d * w1;
    }
    const Lane sums[kRows][2]{{a0, a1}, {b0, b1}, {c0, c1}, {d0, d1}};
    for (std::int64_t r = 0; r < kRows && first + r < count; ++r)
      std::memcpy(out + (first + r) * kColumns, sums[r], sizeof sums[r]);
  }
}

}  // namespace aladdin::stats
