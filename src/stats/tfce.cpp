#include "aladdin/stats/tfce.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace aladdin::stats {

Neighbours::Neighbours(const Grid& grid, const std::vector<std::int64_t>& voxels)
    : count_(static_cast<std::int64_t>(voxels.size())), ways_(2 * grid.dims) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(grid.voxels()), -1);
  for (std::size_t v = 0; v < voxels.size(); ++v)
    number[static_cast<std::size_t>(voxels[v])] = static_cast<std::int32_t>(v);
  table_.assign(static_cast<std::size_t>(count_ * ways_), -1);
  for (std::size_t v = 0; v < voxels.size(); ++v) {
    std::int64_t stride = 1;
    for (int axis = 0; axis < grid.dims; ++axis) {
      const auto size = grid.size[static_cast<std::size_t>(axis)];
      const std::int64_t at = voxels[v] / stride % size;
      auto* way = table_.data() + static_cast<std::int64_t>(v) * ways_ + 2 * axis;
      if (at > 0) way[0] = number[static_cast<std::size_t>(voxels[v] - stride)];
      if (at + 1 < size) way[1] = number[static_cast<std::size_t>(voxels[v] + stride)];
      stride *= size;
    }
  }
}

Tfce::Tfce(const Neighbours& neighbours, const TfceParameters& parameters)
    : neighbours_(neighbours), parameters_(parameters) {
  const auto count = static_cast<std::size_t>(neighbours.voxels());
  extent_.resize(count + 1);
  for (std::size_t n = 0; n <= count; ++n)
    extent_[n] = std::pow(static_cast<double>(n), parameters.extent_power);
  heights_.assign(static_cast<std::size_t>(parameters.steps) + 1, 0);
  for (std::size_t k = 1; k < heights_.size(); ++k)
    heights_[k] = heights_[k - 1] + std::pow(static_cast<double>(k), parameters.height_power);
  for (auto* table : {&parent_, &size_, &settled_, &order_, &level_}) table->resize(count);
  offset_.resize(count);
}

void Tfce::enhance(std::span<const float> map, std::span<float> enhanced) {
  float largest = 0;
  for (const float value : map) largest = std::max(largest, std::abs(value));
  std::fill(enhanced.begin(), enhanced.end(), 0.0F);
  if (!(largest > 0)) return;
  const double dh = static_cast<double>(largest) / parameters_.steps;
  enhance_sign(map, 1, dh, enhanced);
  enhance_sign(map, -1, dh, enhanced);
}

std::int32_t Tfce::root(std::int32_t voxel) {
  // Halves the path; offsets stay true against the new parent.
  while (parent_[voxel] != voxel) {
    const std::int32_t up = parent_[voxel];
    if (parent_[up] == up) return up;
    offset_[voxel] += offset_[up];
    parent_[voxel] = parent_[up];
    voxel = parent_[voxel];
  }
  return voxel;
}

// Adds what the cluster collected at the thresholds above `level`.
void Tfce::settle(std::int32_t root, std::int32_t level) {
  offset_[root] += extent_[static_cast<std::size_t>(size_[root])] *
                   (heights_[static_cast<std::size_t>(settled_[root])] -
                    heights_[static_cast<std::size_t>(level)]);
  settled_[root] = level;
}

void Tfce::join(std::int32_t one, std::int32_t other, std::int32_t level) {
  one = root(one);
  other = root(other);
  if (one == other) return;
  if (size_[one] < size_[other]) std::swap(one, other);
  settle(one, level);
  settle(other, level);
  parent_[other] = one;
  size_[one] += size_[other];
  offset_[other] -= offset_[one];
}

void Tfce::enhance_sign(std::span<const float> map, float sign, double dh,
                        std::span<float> enhanced) {
  const auto count = static_cast<std::int32_t>(map.size());
  // Voxels by the highest threshold that they reach.
  start_.assign(static_cast<std::size_t>(parameters_.steps) + 2, 0);
  for (std::int32_t v = 0; v < count; ++v) {
    const double value = static_cast<double>(sign * map[static_cast<std::size_t>(v)]);
    const auto level = value < dh * (1 - 1e-9)
                           ? 0
                           : std::min(parameters_.steps, static_cast<int>(value / dh * (1 + 1e-9)));
    level_[v] = level;
    ++start_[static_cast<std::size_t>(level) + 1];
    parent_[v] = -1;
  }
  for (std::size_t k = 1; k < start_.size(); ++k) start_[k] += start_[k - 1];
  std::vector<std::int32_t> next(start_.begin(), start_.end() - 1);
  for (std::int32_t v = 0; v < count; ++v) order_[next[static_cast<std::size_t>(level_[v])]++] = v;

  const std::int32_t first = start_[1];  // those before reach no threshold
  for (std::int32_t at = count - 1; at >= first; --at) {
    const std::int32_t v = order_[at], level = level_[v];
    parent_[v] = v;
    size_[v] = 1;
    settled_[v] = level;
    offset_[v] = 0;
    for (const auto other : neighbours_.of(v))
      if (other >= 0 && parent_[other] >= 0) join(v, other, level);
  }
  for (std::int32_t at = first; at < count; ++at)
    if (const std::int32_t v = order_[at]; parent_[v] == v) settle(v, 0);
  const double scale = sign * std::pow(dh, parameters_.height_power) * dh;
  for (std::int32_t at = first; at < count; ++at) {
    const std::int32_t v = order_[at];
    double sum = offset_[v];
    for (std::int32_t up = v; parent_[up] != up;) {
      up = parent_[up];
      sum += offset_[up];
    }
    enhanced[static_cast<std::size_t>(v)] = static_cast<float>(scale * sum);
  }
}

}  // namespace aladdin::stats
