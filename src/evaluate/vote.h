// What one subject votes at a continuous index of its label map: each label as an image of 0 and 1,
// interpolated linearly. Beyond the map (more than half a voxel, as in transform/pull_back.h) the
// whole vote is for the background. Inline: the innermost loop of every measure that votes.
#pragma once

#include "aladdin/evaluate/dice.h"
#include "aladdin/transform/sample.h"

namespace aladdin::evaluate {

// Calls vote(label, weight), at most eight times; the weights add up to 1.
template <class Vote>
inline void for_each_vote(const LabelIndex* labels, const Size3& size, const Vec3& index,
                          Vote&& vote) {
  if (!inside_buffer(size, index)) {
    vote(LabelIndex{0}, 1.0);
    return;
  }
  const Cell cell = cell_of(size, index);
  const LabelIndex* at = labels + cell.at;
  const auto [sx, sy, sz] = cell.step;
  const LabelIndex corner[8] = {at[0],  at[sx],      at[sy],      at[sx + sy],
                                at[sz], at[sx + sz], at[sy + sz], at[sx + sy + sz]};
  bool alike = true;
  for (const LabelIndex label : corner) alike = alike && label == corner[0];
  if (alike) {
    vote(corner[0], 1.0);
    return;
  }
  const auto [tx, ty, tz] = cell.t;
  for (int c = 0; c < 8; ++c) {
    const double weight = (c & 1 ? tx : 1 - tx) * (c & 2 ? ty : 1 - ty) * (c & 4 ? tz : 1 - tz);
    if (weight > 0) vote(corner[c], weight);
  }
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
