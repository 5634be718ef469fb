// Inside this folder only: the order and the signs of vectors in an X5 file.
#pragma once

#include <cstddef>

#include "aladdin/transform/voxel_points.h"

namespace aladdin {

// A coordinate of LPS as that of RAS, and back.
inline double ras(int axis, double value) { return axis < 2 ? -value : value; }

// Calls use(voxel, where its vector begins in the file, its point in LPS mm). HDF5 has the last index of an array run
// fastest, a Grid the first.
template <class Use>
void for_each_vector(const Grid& grid, Use&& use) {
  const std::int64_t ni = grid.size[0], nj = grid.size[1], nk = grid.size[2];
  for_each_voxel_point(grid, [&](std::int64_t v, const Vec3& point) {
    const std::int64_t i = v % ni, j = v / ni % nj, k = v / (ni * nj);
    use(v, static_cast<std::size_t>(3 * (k + nk * (j + nj * i))), point);
  });
}

}  // namespace aladdin
