// What every kernel shares: the shape of a batch and the rule beyond its border.
//
// Data is contiguous, x fastest, as a Torch tensor (n, channels, d, h, w). Displacements u are in
// voxels, component 0 along x (w), 1 along y (h), 2 along z (d); a 2-D field has d = 1 and two
// components. Every kernel has a plain reference (float and double, kept for ever) in namespace
// reference and a fast float version of the same name in namespace kernels, which gives the same
// bits for any number of threads.
#pragma once

#include <array>
#include <cstdint>

namespace aladdin::kernels {

struct Shape {
  std::int64_t n = 1, d = 1, h = 1, w = 1;
  int dims = 3;  // components of a displacement: 2 or 3

  std::int64_t voxels() const { return d * h * w; }  // of one item
};

enum class Border {
  clamp,  // the outermost voxel continues for ever
  zero    // zero beyond the outermost voxel, fading linearly over one voxel
};

}  // namespace aladdin::kernels
