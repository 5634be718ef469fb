#include "aladdin/condition/middle.h"

#include <algorithm>
#include <cmath>

#include "aladdin/kernels/exponential.h"
#include "aladdin/kernels/warp.h"

namespace aladdin::condition {
namespace {

constexpr int kMostRounds = 30;
constexpr double kSmall = 1e-3;  // of a voxel: below this it has stayed
constexpr double kLeastGain = .9;

Residual length_of(const std::vector<float>& field, const Grid& grid) {
  const std::int64_t n = grid.voxels();
  Residual out;
  for (std::int64_t v = 0; v < n; ++v) {
    double square = 0;
    for (int c = 0; c < grid.dims; ++c) {
      const double mm = field[static_cast<std::size_t>(c * n + v)] * grid.spacing[c];
      square += mm * mm;
    }
    out.mean_mm += std::sqrt(square) / static_cast<double>(n);
    out.max_mm = std::max(out.max_mm, std::sqrt(square));
  }
  return out;
}

}  // namespace

Middle find_middle(std::vector<float> w, const std::vector<float>& mean, const Model& model) {
  const Grid& grid = model.padded;
  const kernels::Shape shape{1, grid.size[2], grid.size[1], grid.size[0], grid.dims};
  const auto flow = [&](const std::vector<float>& v, float sign) {
    std::vector<float> u(v.size());
    kernels::exponential(v.data(), u.data(), shape, model.squarings, sign,
                         border_of(model.network));
    return u;
  };
  double voxel_mm = grid.spacing[0];
  for (int c = 1; c < grid.dims; ++c) voxel_mm = std::min(voxel_mm, grid.spacing[c]);
  Middle middle;
  std::vector<float> left(w.size()), next = w;
  while (true) {
    std::vector<float> back = flow(next, -1);
    kernels::compose(mean.data(), back.data(), left.data(), shape);
    const Residual residual = length_of(left, grid);
    const bool first = middle.rounds.empty();
    if (!first && residual.mean_mm >= middle.rounds.back().mean_mm) break;
    const bool stays = !first && residual.mean_mm > kLeastGain * middle.rounds.back().mean_mm;
    w = next;
    middle.to_population = std::move(back);
    middle.rounds.push_back(residual);
    if (stays || residual.max_mm <= kSmall * voxel_mm ||
        static_cast<int>(middle.rounds.size()) > kMostRounds)
      break;
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = w[i] + left[i];
  }
  middle.to_group = flow(w, 1);
  return middle;
}

}  // namespace aladdin::condition
