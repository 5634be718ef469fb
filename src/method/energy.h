// The energy of a batch (Eq. 6 of the paper), per image, so that it means the same for every batch:
//
//   E = mean_i [ sim L_sim(A o Phi_{1,0}^i, I_i) + lambda L_reg(Phi_{1,0}^i) ]
//     + gamma1 mean_{i<j} L_sim(I_i o Phi_{0,1}^i, I_j o Phi_{0,1}^j) / 2
//     + gamma2 mean_{i != j} L_sim(I_i o Phi_{0,1}^i o Phi_{1,0}^j, I_j)
//     + supervise (mean_{i != j} Dice loss of the labels, moved as the images are in the pairs)
//
// That is half of the bracket in Eq. 6, averaged over the pairs of the batch. A batch of one has no
// pairs. Masks count in image space: outside a subject's mask nothing is compared with it.
//
// With loss.published it is another: method/published_energy.h.
#pragma once

#include "aladdin/loss/regularity.h"
#include "aladdin/loss/similarity.h"
#include "aladdin/method/flow.h"

namespace aladdin {

// The items of a batch that this process has the fields of: [begin, end), or all. See Energy.
struct Share {
  int64_t begin = 0, end = -1;
  bool is_whole() const { return end < 0; }
};

struct Batch {
  at::Tensor images;  // (n, 1, …)
  at::Tensor labels;  // (n, structures, …) one-hot without background, or undefined
  at::Tensor masks;   // (n, 1, …), or undefined
  Share share{};      // at least one item
};

struct Terms {
  at::Tensor energy;
  double sim = 0, reg = 0, atlas_pairs = 0, image_pairs = 0, dice = 0;  // unweighted
};

class Energy {
 public:
  explicit Energy(const LossConfig& config);

  // Whether a batch may have a share: of the energy, this is then what belongs to its items and to the pairs
  // whose target they are, so that the shares of a batch add up. fields has to_subject of all items, all else of
  // those in the share only.
  bool can_be_shared() const { return !config_.published && config_.supervise == 0; }

  // Everything on one grid, the spacing of which (along x, y, z) is given; fields.…_coarse have
  // velocity_scale times that spacing.
  Terms operator()(const at::Tensor& atlas, const Batch& batch, const Fields& fields,
                   const std::array<double, 3>& spacing_mm, int velocity_scale) const;

 private:
  LossConfig config_;
  Similarity similarity_;
  Regularity regularity_;
};

}  // namespace aladdin
