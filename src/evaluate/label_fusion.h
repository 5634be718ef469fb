// Labels for a new image, voted on its own grid:
//
//   p_k(x) = sum_j w_j(x) [S_j = k](Φ_j(x)) / sum_j w_j(x),     label(x) = argmax_k p_k(x)
//
// j runs over subjects whose label map S_j reaches the image through the atlas (multi-atlas bridging),
// [S_j = k] is interpolated linearly (vote.h), Φ_j composes both transforms; of equals the smallest label
// wins. The weight is local similarity (Artaechevarria et al., IEEE TMI 28, 2009, with gain -2):
//
//   w_j(x) = ( mean_{y in N(x)} (I(y) - I_j(Φ_j(y)))^2 + 1e-4 )^-2
//
// N(x) is a cube of 5 voxels, cut off at the border; intensities are in 0 … 1. Alternatively the shares
// come from an atlas as they are (add_shares).
#pragma once

#include "aladdin/evaluate/bridge.h"
#include "aladdin/evaluate/sparse_votes.h"
#include "aladdin/image/image.h"

namespace aladdin::evaluate {

// w of two images on one grid.
std::vector<float> local_weights(const Image& image, const Image& other);

// How often each label is where in an atlas. Memory: 6 bytes for each label that a voxel has, 8 a voxel.
class AtlasShares {
 public:
  // One volume for each label, background first, all on one grid; what is not positive counts as 0.
  explicit AtlasShares(const std::vector<Image>& volumes);

  const Grid& grid() const { return grid_; }
  int labels() const { return labels_; }
  const SparseVotes<float>& votes() const { return votes_; }

 private:
  Grid grid_;
  int labels_;
  SparseVotes<float> votes_;
};

class LabelFusion {
 public:
  // `labels` counts the background too. Memory: 4 bytes x voxels, and 12 for each label that a voxel has votes for:
  // about 24 x voxels, however many labels there are.
  LabelFusion(const Grid& native, int labels);

  // The map of a subject; `to_subject` takes points of the image to points of the subject. Weights are
  // one for each voxel of the image.
  void add(const NativeMap& subject, const Chain& to_subject, const std::vector<float>& weights);
  // Shares in atlas space, pulled linearly; what lies beyond the atlas is background.
  void add_shares(const AtlasShares& shares, const Chain& atlas_to_native);

  // As indices. Where nothing was added: background.
  std::vector<LabelIndex> labels() const;
  // p_k, 0 … 1, adding up to 1 over the labels.
  std::vector<float> probability(int label) const;

 private:
  // The votes of a voxel are a list in the arena of its row.
  struct Entry {
    LabelIndex label;
    std::uint32_t next;
    float votes;
  };
  static constexpr std::uint32_t kEnd = UINT32_MAX;
  void vote(std::int64_t voxel, LabelIndex label, float votes);
  template <class Visit>
  void each_vote(std::int64_t voxel, const Visit& visit) const;

  Grid grid_;
  int labels_;
  std::vector<std::uint32_t> first_;      // of each voxel
  std::vector<std::vector<Entry>> rows_;  // along x
};

// Volume of each label index in mm3 (2-D: area in mm2).
std::vector<double> volumes_mm3(const std::vector<LabelIndex>& map, const Grid& grid, int labels);

}  // namespace aladdin::evaluate
