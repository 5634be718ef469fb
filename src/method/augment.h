// Random changes of training images, which keep a network from learning a small cohort by heart: an
// affine map about the middle of the grid (rotation, scaling, shift) and a power of the intensities.
#pragma once

#include "aladdin/core/rng.h"
#include "aladdin/method/energy.h"

namespace aladdin {

struct AugmentOptions {
  double strength = 1;      // multiplies all of the following
  double rotation_deg = 4;  // standard deviations
  double log_scale = 0.04;
  double shift_mm = 1.5;
  double log_power = 0.15;
};

// One random change per item, drawn from `rng` in order. The first `before` changes belong to items that are not in the
// batch and are skipped. Spacing along x, y, z.
Batch augment(const Batch& batch, const std::array<double, 3>& spacing_mm,
              const AugmentOptions& options, Rng& rng, std::size_t before = 0);

}  // namespace aladdin
