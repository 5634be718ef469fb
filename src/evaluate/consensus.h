// Agreement in atlas space (Sec. 4.2 and the appendix of the paper), S_i o Φ_i the label map of
// subject i pulled into atlas space, V the plurality vote (of equals the smallest label):
//
//   d^atlas_k       = 1/M sum_i Dice_k( S_i o Φ_i, V({S_i o Φ_i}_{i=1…M}) )
//   tilde d^atlas_k = 2/(M(M-1)) sum_{i<j} Dice_k( S_i o Φ_i, S_j o Φ_j )
//
// A pulled map is a label map: at each voxel the label with the largest linearly interpolated share
// (pull_labels here, or pull_back with Interpolation::label for chains).
#pragma once

#include "aladdin/core/shard.h"
#include "aladdin/evaluate/dice.h"
#include "aladdin/kernels/field.h"

namespace aladdin::evaluate {

// out(x) = labels(x + u(x)), u in voxels, planar; background outside the grid. `count` labels.
void pull_labels(const LabelIndex* labels, const float* u, const kernels::Shape& shape, int count,
                 LabelIndex* out);

class AtlasSpace {
 public:
  // Maps of `voxels` voxels and `labels` labels with the background. Memory: 2 bytes x voxels a
  // subject; pairs add a bit for each voxel of each structure.
  AtlasSpace(std::int64_t voxels, int labels) : voxels_(voxels), labels_(labels) {}

  void add(const LabelIndex* pulled);
  std::size_t subjects() const { return maps_.size(); }

  std::vector<LabelIndex> consensus() const;
  // The terms of d^atlas; a subject's mean is over the structures it has. Throws without subjects.
  std::vector<DiceScores> consensus_dice() const;
  // tilde d^atlas: mean and sd over the pairs in which at least one subject has the structure.
  // `mean` is over pairs, of the mean over the pair's structures. Throws on fewer than two subjects.
  DiceSummary pair_dice() const;
  // The same as sums by label index, over the pairs i < j whose i is in the share; [0] is of the means.
  std::vector<Moments> pair_moments(const Shard& share) const;

 private:
  std::int64_t voxels_;
  int labels_;
  std::vector<std::vector<LabelIndex>> maps_;
};

DiceSummary pair_summary(std::span<const Moments> moments);

}  // namespace aladdin::evaluate
