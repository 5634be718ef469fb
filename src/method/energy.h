// The energy of a batch, per image, by the method of loss.energy (method/method.h): Eq. 6 of the paper is
// in methods/aladdin.cpp. Where the network is taught, its teacher's velocities v* add to each method's
//
//   teach mean_i mean_x |v_i - v*_i|^2      in voxels of the velocity grid of this stage
//
#pragma once

#include "aladdin/method/method.h"

namespace aladdin {

class Energy {
 public:
  explicit Energy(const LossConfig& config, double teach = 0);

  // Whether a batch may be shared among processes (terms.h). The energy of a share is that of its items and of the pairs
  // whose target they are, so the shares of a batch add up. `fields` has to_subject of all items, and everything else
  // of the items in the share only.
  bool can_be_shared() const;

  // Everything is on one grid with this spacing along x, y, z; fields.…_coarse have velocity_scale times that spacing.
  Terms operator()(const at::Tensor& atlas, const Batch& batch, const Fields& fields,
                   const std::array<double, 3>& spacing_mm, int velocity_scale) const;

 private:
  const Method& method_;
  LossConfig config_;
  double teach_;
  Dissimilarity dissimilarity_;
};

}  // namespace aladdin
