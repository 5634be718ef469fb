// Volumes in memory: a Grid and its values, index 0 fastest. Plain data; no Torch, no ITK.
#pragma once

#include <cstdint>
#include <vector>

#include "aladdin/image/grid.h"

namespace aladdin {

template <class T>
struct Volume {
  Grid grid;
  std::vector<T> values;

  Volume() = default;
  explicit Volume(const Grid& where, T fill = T{})
      : grid(where), values(static_cast<std::size_t>(where.voxels()), fill) {}

  T& at(std::int64_t i, std::int64_t j, std::int64_t k = 0) { return values[grid.offset(i, j, k)]; }
  const T& at(std::int64_t i, std::int64_t j, std::int64_t k = 0) const {
    return values[grid.offset(i, j, k)];
  }
};

using Image = Volume<float>;
using Labels = Volume<std::int32_t>;

// One vector per voxel, stored component by component: values[c * voxels + v], `grid.dims` components.
// In mm along the world's LPS axes, as in files; where code holds voxels along the grid's own axes
// instead, the name says so (mm_to_voxels, …_voxels).
struct VectorImage {
  Grid grid;
  std::vector<float> values;

  VectorImage() = default;
  explicit VectorImage(const Grid& where)
      : grid(where), values(static_cast<std::size_t>(where.voxels() * where.dims), 0.0F) {}

  float* component(int c) { return values.data() + c * grid.voxels(); }
  const float* component(int c) const { return values.data() + c * grid.voxels(); }
};

}  // namespace aladdin
