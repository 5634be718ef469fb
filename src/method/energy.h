// The energy of a batch (Eq. 6 of the paper), per image, so that it means the same for every batch:
//
//   E = mean_i [ sim L_sim(A o Phi_{1,0}^i, I_i) + lambda L_reg(Phi_{1,0}^i) + volume mean_x (log |D Phi_{1,0}^i|)^2 ]
//     + gamma1 mean_{i<j} L_sim(I_i o Phi_{0,1}^i, I_j o Phi_{0,1}^j) / 2
//     + gamma2 mean_{i != j} L_sim(I_i o Phi_{0,1}^i o Phi_{1,0}^j, I_j)
//     + supervise (mean_{i != j} Dice loss of the labels, moved as the images are in the pairs)
//
// The term of volumes is not in the paper (optimise/energy.h); determinants below 0.01 count as that.
//
// That is half of the bracket in Eq. 6, averaged over the pairs of the batch. A batch of one has no
// pairs. Masks count in image space: outside a subject's mask nothing is compared with it.
//
// With loss.published it is another, method/published_energy.h, and loss.energy names those of other
// methods: voxelmorph.h, he.h, dalca.h.
#pragma once

#include "aladdin/loss/regularity.h"
#include "aladdin/loss/similarity.h"
#include "aladdin/method/terms.h"

namespace aladdin {

class Energy {
 public:
  explicit Energy(const LossConfig& config);

  // Whether a batch may have a share (terms.h): of the energy, this is then what belongs to its items and to the
  // pairs whose target they are, so that the shares of a batch add up. fields has to_subject of all items, all else
  // of those in the share only.
  bool can_be_shared() const;

  // Everything on one grid, the spacing of which (along x, y, z) is given; fields.…_coarse have
  // velocity_scale times that spacing.
  Terms operator()(const at::Tensor& atlas, const Batch& batch, const Fields& fields,
                   const std::array<double, 3>& spacing_mm, int velocity_scale) const;

 private:
  Terms aladdin(const at::Tensor& atlas, const Batch& batch, const Fields& fields,
                const std::array<double, 3>& spacing_mm, int velocity_scale) const;

  LossConfig config_;
  Similarity similarity_;
  Regularity regularity_;
};

}  // namespace aladdin
