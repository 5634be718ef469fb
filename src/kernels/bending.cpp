#include "aladdin/kernels/bending.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "aladdin/kernels/fast/table.h"
#include "aladdin/kernels/stencils.h"

namespace aladdin::kernels {

double bending_energy(const float* u, float* grad_u, const Shape& s,
                      const std::array<double, 3>& spacing) {
  if (s.w < 3) return reference::bending_energy(u, grad_u, s, spacing);
  const std::int64_t size[3] = {s.w, s.h, s.d};
  double interior = 1;
  for (const auto length : size) interior *= static_cast<double>(length >= 3 ? length - 2 : length);
  // For each component the factors of xx, yy, zz, xy, xz, yz.
  constexpr int kFirst[6] = {0, 1, 2, 0, 0, 1}, kSecond[6] = {0, 1, 2, 1, 2, 2};
  std::array<std::array<double, 6>, 3> factors{};
  for (int c = 0; c < s.dims; ++c)
    for (int term = 0; term < 6; ++term) {
      const int i = kFirst[term], j = kSecond[term];
      if (size[i] < 3 || size[j] < 3) continue;
      const double scale = spacing[c] / (spacing[i] * spacing[j]);
      factors[c][term] = scale * scale * (i == j ? 1 : 2) / (static_cast<double>(s.n) * interior);
    }

  const StencilSlabs slabs(s);
  if (grad_u) std::fill_n(grad_u, s.n * s.dims * s.voxels(), 0.0F);
  std::vector<double> parts(s.n * s.dims * slabs.count());
  slabs.run(s.n * s.dims, [&](std::int64_t field, std::int64_t begin, std::int64_t end,
                              std::int64_t task) {
    const Buffer scratch = make_buffer(stencil_scratch(s));
    const std::int64_t start = field * s.voxels();
    parts[task] = fast().bending(u + start, grad_u ? grad_u + start : nullptr,
                                 factors[field % s.dims].data(), s, begin, end, scratch.get());
  });
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace aladdin::kernels
