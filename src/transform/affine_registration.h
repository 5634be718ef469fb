// The affine map that pulls an image onto another one: 12 parameters (6 in 2-D), multi-resolution, by
// Levenberg and Marquardt on
//
//   E(T) = mean_x (a m(T(x)) + b - f(x))^2,     T(x) = M (x - c) + c + t
//
// f fixed, m moving, c the middle of the fixed grid; beyond its border m goes on as at its edge. With
// `mse` a = 1 and b = 0; with `ncc` they are free, and the minimum is that of 1 - NCC^2.
#pragma once

#include "aladdin/image/image.h"
#include "aladdin/transform/affine.h"

namespace aladdin {

struct AffineRegistrationOptions {
  bool ncc = false;     // false: mse
  int coarsest = 4;     // powers of two: every so many voxels, and the half of that, …
  int finest = 1;       // … down to this
  int iterations = 30;  // on each grid, at most
};

// From points of `fixed` to points of `moving`; the same bits for any number of threads.
Affine register_affine(const Image& fixed, const Image& moving, const Affine& start,
                       const AffineRegistrationOptions& options = {});

}  // namespace aladdin
