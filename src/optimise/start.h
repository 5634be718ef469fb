// An affine velocity to start from, v(x) = A x + b, found on a coarse grid, where it costs milliseconds.
#pragma once

#include "aladdin/optimise/energy.h"

namespace aladdin {

// Descends among the affine velocities from no motion and from rotations of 30 degrees both ways about each axis of the
// grid, by the correlation of the whole images (ncc; mi where that is the similarity), without a regulariser. The best of
// them; a rotated start must be better by a clear margin. On energy's velocity grid for these images.
std::vector<float> affine_start(const Config& config, const kernels::Shape& full,
                                const std::array<double, 3>& spacing_mm, const ImagePair& images);

}  // namespace aladdin
