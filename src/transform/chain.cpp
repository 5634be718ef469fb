#include "aladdin/transform/chain.h"

#include <algorithm>
#include <atomic>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parallel.h"
#include "aladdin/transform/point_map.h"

namespace aladdin {

int dims_of(const Transform& transform) {
  if (const auto* affine = std::get_if<Affine>(&transform)) return affine->dims;
  if (const auto* field = std::get_if<Displacement>(&transform)) return field->grid().dims;
  return std::get<InverseDisplacement>(transform).forward.grid().dims;
}

void require_dims(const Chain& chain, int dims) {
  for (const auto& transform : chain)
    if (dims_of(transform) != dims)
      fail("a transform is {}-D, expected {}-D", dims_of(transform), dims);
}

Transform inverse(Transform transform) {
  if (const auto* affine = std::get_if<Affine>(&transform)) return inverse(*affine);
  if (auto* field = std::get_if<Displacement>(&transform))
    return InverseDisplacement{std::move(*field)};
  return std::move(std::get<InverseDisplacement>(transform).forward);
}

Chain inverse(Chain chain) {
  std::reverse(chain.begin(), chain.end());
  for (auto& transform : chain) transform = inverse(std::move(transform));
  return chain;
}

void map_points(const Chain& chain, std::vector<Vec3>& points) {
  const PointMap map(chain);
  constexpr std::int64_t kGrain = 4096;
  std::atomic<std::int64_t> outside{0};
  parallel_ranges(static_cast<std::int64_t>(points.size()), kGrain,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t p = begin; p < end; ++p) {
                      bool beyond = false;
                      points[p] = map(points[p], &beyond);
                      outside += beyond;
                    }
                  });
  map.report();
  if (outside > 0)
    log::warn_again(
        "outside",
        fmt::format("{} of {} points are outside the grid of a displacement field, which does not "
                    "move them (its inverse moves them as at its border); are they in LPS mm?",
                    outside.load(), points.size()));
}

Vec3 map_point(const Chain& chain, const Vec3& point) {
  std::vector<Vec3> points{point};
  map_points(chain, points);
  return points.front();
}

Displacement to_displacement(const Chain& chain, const Grid& grid) {
  require_dims(chain, grid.dims);
  Displacement displacement(grid);
  auto& field = displacement.vectors;
  const PointMap map(grid, chain), here(grid, {});
  parallel_for(grid.size[1] * grid.size[2], [&](std::int64_t row) {
    for (std::int64_t i = 0; i < grid.size[0]; ++i) {
      const Vec3 index{static_cast<double>(i), static_cast<double>(row % grid.size[1]),
                       static_cast<double>(row / grid.size[1])};
      const Vec3 u = map(index) - here(index);
      for (int c = 0; c < grid.dims; ++c)
        field.component(c)[i + grid.size[0] * row] = static_cast<float>(u[c]);
    }
  });
  map.report();
  return displacement;
}

}  // namespace aladdin
