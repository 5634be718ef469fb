// Inside this folder only.
#pragma once

#include "aladdin/image/grid.h"

namespace aladdin {

// Calls use(voxel, its point in LPS mm) for every voxel, in the order of memory.
template <class Use>
void for_each_voxel_point(const Grid& grid, Use&& use) {
  std::int64_t v = 0;
  for (std::int64_t k = 0; k < grid.size[2]; ++k)
    for (std::int64_t j = 0; j < grid.size[1]; ++j)
      for (std::int64_t i = 0; i < grid.size[0]; ++i, ++v)
        use(v, grid.to_point(
                   {static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)}));
}

}  // namespace aladdin
