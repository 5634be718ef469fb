// How well an image matches another one under an affine map, and how that changes with the map.
//
//   E(T) = L(m(T x), f(x))   over the voxels x of the fixed image that count and that the moving image shows
//
// L is mse, ncc or mi of the kernels. A voxel counts where the mask of the fixed image is not 0; T x is shown where it is
// inside the field of view of the moving image and the mask of none of the voxels around it is 0. What is not shown does not
// count against the match; E is infinite where too little is left to compare.
//
// The derivatives are those by a small motion, T <- T o (id + D), D(x) = A (x - c) + b, in the order A_00, A_01, … A_22
// times `radius` (so that all are in mm), b_0, b_1, b_2.
#pragma once

#include <array>

#include "aladdin/config/config.h"
#include "aladdin/image/image.h"
#include "aladdin/transform/affine.h"

namespace aladdin {

constexpr int kMotions = 12;
using Motion = std::array<double, kMotions>;

// An image with intensities in [0, 1] and, if there is one, its mask on the same grid (its values are not looked at
// where the mask is 0).
struct MaskedImage {
  Image image;
  Labels mask{};  // empty: all counts

  bool counts(std::int64_t voxel) const { return mask.values.empty() || mask.values[voxel] != 0; }
};

struct LinearMatch {
  double energy = 0;
  Motion gradient{};
  // Gauss and Newton's approximation of the second derivative, where it is asked for.
  std::array<Motion, kMotions> curvature{};
};

// D in the frame of the fixed image, or (of_inverse) in that of the moving one: E(T^-1), by the same motion.
struct MotionFrame {
  Vec3 centre;
  double radius = 1;
  bool of_inverse = false;
};

// map: from points of `fixed` to points of `moving`. The same bits for any number of threads.
LinearMatch linear_match(const MaskedImage& fixed, const MaskedImage& moving, const Affine& map,
                         const MotionFrame& frame, const LossConfig& loss,
                         bool with_curvature = true);

}  // namespace aladdin
