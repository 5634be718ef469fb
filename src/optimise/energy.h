// The energy of one registration as a function of its stationary velocity v (Eq. 6 of the paper without pairs), and
// its exact gradient, by the kernels alone:
//
//   E(v) = sim L_sim(A o exp(-v), I) + lambda L_reg + volume mean_x (log det D exp(-v))^2
//
// A is the atlas, I the image. L_reg is that of loss/regularity.h: the bending energy of exp(-v), or the squared
// gradient of exp(-v) - id or of v. The last term is not in the paper: it keeps voxels from vanishing and from swelling
// without end where the image says little, and is infinite where exp(-v) folds. Voxels outside the image's mask count as
// matched. The gradient is the adjoint of each step in turn:
//
//   v -> u = exp(-v) - id -> refine(u) -> A o (id + u) -> L_sim
//
// Images live on `full`, v on every velocity_scale-th voxel of it, in its voxels, planar (kernels/field.h).
#pragma once

#include <array>
#include <vector>

#include "aladdin/config/config.h"
#include "aladdin/kernels/field.h"

namespace aladdin {

// What is registered, on one grid.
struct ImagePair {
  std::vector<float> atlas, image;
  std::vector<float> mask;  // empty, or 1 where the image counts
};

class RegistrationEnergy {
 public:
  RegistrationEnergy(const Config& config, const kernels::Shape& full,
                     const std::array<double, 3>& spacing_mm, ImagePair images);

  // Whether it has this similarity; another one throws when the energy is computed.
  static bool knows(SimilarityKind similarity);

  // E(v), infinite where it folds; writes dE/dv (overwritten) unless grad is null.
  double operator()(const float* v, float* grad);

  const kernels::Shape& velocity_shape() const { return coarse_; }
  std::array<double, 3> velocity_spacing_mm() const;
  // The mean second derivative of `sim L_sim` by a component of v at one voxel: what a shift of the image against
  // itself would cost.
  double curvature() const;

 private:
  double similarity(float* grad);
  double regularity(const float* v, float* grad_u, float* grad_v);
  // Adds its gradient.
  double volume(float* grad_u);

  LossConfig loss_;
  int scale_, squarings_;
  kernels::Border border_;
  kernels::Shape full_, coarse_;
  std::array<double, 3> spacing_;
  ImagePair images_;
  std::vector<float> u_, fine_, seen_;  // exp(-v) - id, refined; A o exp(-v)
  std::vector<float> grad_u_, grad_fine_, grad_seen_, det_, more_;
};

}  // namespace aladdin
