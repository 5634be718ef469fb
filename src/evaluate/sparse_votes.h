// Votes for labels on a grid where a voxel has few of many labels: reading them costs what was voted for, not the number
// of labels. Inside this folder, and for what carries an atlas to an image (label_fusion.h).
#pragma once

#include <vector>

#include "aladdin/evaluate/dice.h"
#include "aladdin/image/sample.h"

namespace aladdin::evaluate {

template <class T>
struct SparseVotes {
  std::vector<std::int64_t> first{0};  // of each voxel; the last is the end
  std::vector<LabelIndex> label;       // of a voxel in ascending order
  std::vector<T> votes;                // above 0

  // The next voxel, with of(label) for each label.
  template <class Of>
  void append_voxel(int labels, const Of& of) {
    for (int k = 0; k < labels; ++k) {
      const T value = of(k);
      if (!(value > 0)) continue;
      label.push_back(static_cast<LabelIndex>(k));
      votes.push_back(value);
    }
    first.push_back(static_cast<std::int64_t>(label.size()));
  }

  // Calls vote(label, votes) with the linear weights of the voxels of a cell.
  template <class Vote>
  void at(const Cell& cell, Vote&& vote) const {
    for_each_corner(cell, [&](std::int64_t corner, double weight) {
      for (std::int64_t e = first[corner]; e < first[corner + 1]; ++e)
        vote(label[e], weight * votes[e]);
    });
  }
};

}  // namespace aladdin::evaluate
