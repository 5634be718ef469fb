#include "aladdin/optimise/unfold.h"

#include <algorithm>

#include "aladdin/evaluate/folds.h"
#include "aladdin/kernels/exponential.h"
#include "aladdin/kernels/pyramid.h"
#include "aladdin/kernels/smooth.h"

namespace aladdin {
namespace {

using Values = std::vector<float>;

constexpr int kRounds = 30;
constexpr double kSigma = 1.5;  // of the local mean, in voxels of v

// 1 on every voxel of v near a folded cell, fading to 0; empty: nothing folds.
Values folded_places(const Values& v, const kernels::Shape& full, const kernels::Shape& coarse,
                     int scale, int squarings, kernels::Border border, double reach) {
  Values fine(static_cast<std::size_t>(full.dims * full.voxels()));
  if (scale > 1)
    kernels::refine(v.data(), fine.data(), full);
  else
    fine = v;
  Values marks(static_cast<std::size_t>(coarse.voxels()), 0.0F), u(fine.size());
  bool any = false;
  for (const float sign : {1.0F, -1.0F}) {
    kernels::exponential(fine.data(), u.data(), full, squarings, sign, border);
    const auto cells = evaluate::folded_cells(u.data(), full);
    for (std::int64_t x = 0; x < full.voxels(); ++x) {
      if (!cells[x]) continue;
      any = true;
      const std::int64_t i = x % full.w / scale, j = x / full.w % full.h / scale,
                         k = full.d > 1 ? x / full.w / full.h / scale : 0;
      marks[i + coarse.w * (j + coarse.h * k)] = 1;
    }
  }
  if (!any) return {};
  Values spread(marks.size());
  kernels::smooth(marks.data(), spread.data(), coarse, 1, reach);
  const float most = *std::max_element(spread.begin(), spread.end());
  for (std::size_t x = 0; x < marks.size(); ++x)
    marks[x] = std::max(marks[x], std::min(1.0F, 4 * spread[x] / most));
  return marks;
}

}  // namespace

int unfold(Values& v, const kernels::Shape& full, int scale, int squarings,
           kernels::Border border) {
  const kernels::Shape coarse = scale == 1 ? full : kernels::half(full);
  const auto voxels = static_cast<std::size_t>(coarse.voxels());
  for (int round = 0; round < kRounds; ++round) {
    const Values where = folded_places(v, full, coarse, scale, squarings, border, 1 + 0.25 * round);
    if (where.empty()) return round;
    // The mean of what is there: the Gaussian sees zeros outside the grid.
    Values mean(v.size()), ones(voxels, 1.0F), weight(voxels);
    kernels::smooth(v.data(), mean.data(), coarse, coarse.dims, kSigma);
    kernels::smooth(ones.data(), weight.data(), coarse, 1, kSigma);
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] += where[i % voxels] * (mean[i] / weight[i % voxels] - v[i]);
  }
  // Nothing local helps: less of everything does.
  while (!folded_places(v, full, coarse, scale, squarings, border, 1).empty())
    for (float& x : v) x *= 0.8F;
  return kRounds;
}

}  // namespace aladdin
