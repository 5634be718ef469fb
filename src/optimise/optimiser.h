// The registration of one image to an atlas that stays, by optimisation: the minimum of the energy in optimise/energy.h,
// found from coarse to fine by preconditioned L-BFGS (minimise.h). It ends where the energy no longer falls; how smooth
// the result is, the energy decides, not the number of iterations. What is published does not fold (unfold.h).
//
// Every grid bends as if it were the finest: on the grid of every r-th voxel lambda is r^2 times as large, for bending, so
// that it means the same in voxels of each. With one stiffness in mm a coarse grid could follow every voxel of the
// images, found its way into folds, and strongly moved knees were lost there (docs/accuracy.md).
//
// The one procedure behind `train.engine = optimise`, the refinement of a network's answer, and `aladdin register`.
// Without Torch. The same bits for any number of threads; several threads may call it at once.
#pragma once

#include "aladdin/optimise/energy.h"

namespace aladdin {

class Optimiser {
 public:
  using Values = std::vector<float>;

  // full: the grid of the images that are given below, spacing_mm along x, y, z.
  Optimiser(const Config& config, const kernels::Shape& full,
            const std::array<double, 3>& spacing_mm);

  // From an affine start on the coarsest grid of `train.pyramid`, down to the grid of every stage-th voxel; the velocity
  // lives on every (stage velocity_scale)-th, in its voxels. At stage 1 it does not fold when it is published.
  Values register_image(const ImagePair& images, int stage = 1) const;
  // From v0 on the velocity grid of stage 1, in at most so many iterations.
  Values refine(const ImagePair& images, const Values& v0, int iterations) const;
  // From v0 on the grid of the stage, empty: from the affine start; at most so many iterations; may fold. On the coarsest
  // grid of the pyramid it also begins anew, from the affine start and from nothing, and the lowest energy wins.
  Values improve(const ImagePair& images, Values v0, int stage, int iterations) const;

  // L_sim(A o exp(-v), I) at stage 1, which stands for the registration among others (mismatch.h).
  double mismatch(const ImagePair& images, const Values& v) const;

  // v on the grid of every from-th voxel on that of every to-th.
  Values refined(Values v, int from, int to) const;

 private:
  ImagePair reduced(const ImagePair& images, int stage) const;
  std::array<double, 3> spacing_at(int stage) const;
  // With the lambda of the stage.
  Config config_at(int stage) const;
  Values start(const ImagePair& images, int stage) const;

  Config config_;
  kernels::Shape full_;
  std::array<double, 3> spacing_;
};

}  // namespace aladdin
