// A grid as the kernels know it (kernels/field.h).
#pragma once

#include "aladdin/image/grid.h"
#include "aladdin/kernels/field.h"

namespace aladdin {

inline kernels::Shape shape_of(const Grid& grid) {
  return {1, grid.size[2], grid.size[1], grid.size[0], grid.dims};
}

}  // namespace aladdin
