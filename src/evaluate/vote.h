// What one subject votes at a continuous index of its label map: each label as an image of 0 and 1,
// interpolated linearly. Beyond the map (more than half a voxel, as in transform/pull_back.h) the
// whole vote is for the background. Inline: the innermost loop of every measure that votes.
#pragma once

#include "aladdin/evaluate/dice.h"
#include "aladdin/image/sample.h"

namespace aladdin::evaluate {

// Calls vote(label, weight), at most eight times; the weights add up to 1.
template <class Vote>
inline void for_each_vote(const LabelIndex* labels, const Size3& size, const Vec3& index,
                          Vote&& vote) {
  if (!inside_buffer(size, index)) {
    vote(LabelIndex{0}, 1.0);
    return;
  }
  aladdin::for_each_vote(labels, cell_of(size, index), vote);
}

// Where a label map can vote for anything but the background: most points are far from every
// structure, and need no interpolation.
struct Reach {
  Vec3 low{}, high{};  // of the structures' voxels
  bool empty = true;

  // True only if all voxels around a continuous index are background.
  bool misses(const Vec3& index) const {
    return empty || index[0] <= low[0] - 1 || index[0] >= high[0] + 1 || index[1] <= low[1] - 1 ||
           index[1] >= high[1] + 1 || index[2] <= low[2] - 1 || index[2] >= high[2] + 1;
  }
  // Points that a displacement of the range [least, most] can bring here.
  Reach before(const Vec3& least, const Vec3& most) const {
    return {low - most, high - least, empty};
  }
};

// of the voxels v with in_structure(v).
template <class InStructure>
Reach reach_of(const Size3& size, InStructure&& in_structure) {
  Reach reach;
  std::int64_t v = 0;
  for (std::int64_t k = 0; k < size[2]; ++k)
    for (std::int64_t j = 0; j < size[1]; ++j)
      for (std::int64_t i = 0; i < size[0]; ++i, ++v) {
        if (!in_structure(v)) continue;
        const Vec3 at{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
        if (reach.empty) reach = {at, at, false};
        for (int c = 0; c < 3; ++c) {
          reach.low[c] = std::min(reach.low[c], at[c]);
          reach.high[c] = std::max(reach.high[c], at[c]);
        }
      }
  return reach;
}

// The votes at one voxel. Sparse: counting and clearing cost what was voted for, not the number of
// labels.
class Ballot {
 public:
  explicit Ballot(int labels) : weight_(static_cast<std::size_t>(labels), 0.0) {}

  void operator()(LabelIndex label, double weight) {
    if (weight_[label] == 0) seen_.push_back(label);
    weight_[label] += weight;
  }
  // The plurality, of equals the smallest label; 0 if nobody voted. Clears the ballot.
  LabelIndex close() {
    LabelIndex best = 0;
    double most = 0;
    for (const LabelIndex label : seen_) {
      if (weight_[label] > most || (weight_[label] == most && label < best)) {
        best = label;
        most = weight_[label];
      }
      weight_[label] = 0;
    }
    seen_.clear();
    return best;
  }

 private:
  std::vector<double> weight_;
  std::vector<LabelIndex> seen_;
};

}  // namespace aladdin::evaluate
