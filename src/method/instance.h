// The registration of single images by optimisation, without a network: the energy of method/energy.h
// against an atlas that stays, minimised over the velocity itself.
// The descent is that of smooth_descent.h. The result is the iterate of least energy among those that
// match at least as well as v0; where it would fold it is taken back towards v0.
#pragma once

#include "aladdin/method/energy.h"

namespace aladdin {

class InstanceOptimiser {
 public:
  // spacing: of the full grid along x, y, z.
  InstanceOptimiser(const Config& config, const std::array<double, 3>& spacing_mm);

  // atlas (1, 1, …), the batch of one image on the full grid; v0 and the result on the velocity grid.
  at::Tensor refine_velocity(const at::Tensor& atlas, const Batch& batch, const at::Tensor& v0,
                             int iterations) const;
  // From the identity, coarse to fine down to `stage`, as often on each grid; on the velocity grid of
  // the stage.
  at::Tensor register_image(const at::Tensor& atlas, const Batch& batch, int iterations,
                            int stage) const;

 private:
  // Everything on the grid of the stage, v0 and the result too.
  at::Tensor minimise(const at::Tensor& atlas, const Batch& batch, const at::Tensor& v0,
                      int iterations, int stage) const;
  bool folds(const at::Tensor& velocity, at::IntArrayRef image_sizes) const;

  Config config_;
  std::array<double, 3> spacing_;
  Flow flow_;
  Energy energy_;
};

}  // namespace aladdin
