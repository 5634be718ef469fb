// Atlas-as-a-bridge (Sec. 4.2 of the paper), V the plurality vote over all subjects but j:
//
//   d^bridge_k = 1/M sum_j Dice_k( V({(S_i o Φ_i) o Φ_j^-1}_{i != j}), S_j )
//
// BridgeVotes costs M transforms, not M^2: the one-hot label maps are pulled into atlas space and
// summed once, the own vote is taken out again, and the rest is pulled back to the subject. This
// interpolates twice where bridge_exact.h interpolates once: on the small cohorts of bridge_test.cpp
// the mean Dice of the two differs by 0.002, and the test holds it below 0.01.
//
// On the working grid, one for subjects and atlas (shape.n is ignored), displacements are in voxels,
// planar, as the kernels have them:
//   u_to_subject = Φ_{0,1} - id, on the atlas: pulls the subject to the atlas
//   u_to_atlas   = Φ_{1,0} - id, on the subject: pulls the atlas to the subject
// In the subjects' own spaces chains do the same, named as the files are (docs/architecture.md).
// Outside its grid a subject votes background, and beyond the atlas grid the votes continue as at its border.
//
// Votes are whole multiples of 2^-15, so sums are exact: taking a vote out leaves no trace, and
// neither order nor threads change a bit. Memory: 4 bytes x labels x voxels.
#pragma once

#include <functional>

#include "aladdin/evaluate/dice.h"
#include "aladdin/kernels/field.h"
#include "aladdin/transform/chain.h"

namespace aladdin::evaluate {

// A subject in its own space: label indices on `grid`.
struct NativeMap {
  const LabelIndex* labels;
  const Grid* grid;
};

// Labels of the atlas itself, which a prediction may carry to `out` on its way, linearly as pull_back does; null: none.
struct CarriedLabels {
  const LabelIndex* atlas = nullptr;
  LabelIndex* out = nullptr;
};

class BridgeVotes {
 public:
  static constexpr std::int64_t kMostSubjects = 120000;

  // `labels` counts the background too.
  BridgeVotes(const kernels::Shape& shape, int labels);
  // For chains, whose points are in mm.
  BridgeVotes(const Grid& atlas, int labels);

  void add(const LabelIndex* labels, const float* u_to_subject);
  // Exactly undoes an add of the same arguments.
  void remove(const LabelIndex* labels, const float* u_to_subject);
  void add(const NativeMap& subject, const Chain& native_to_atlas);
  void remove(const NativeMap& subject, const Chain& native_to_atlas);
  std::int64_t subjects() const { return subjects_; }
  // With the votes that other processes have counted: `sum` adds those to each of so many numbers, modulo 2^32;
  // `all` are the subjects of all processes.
  void sum_over(const std::function<void(std::uint32_t* votes, std::size_t count)>& sum,
                std::int64_t all);

  // The atlas's own labels: the plurality at each voxel, of equals the smallest label.
  void consensus(LabelIndex* out) const;
  // The share of label k in the votes, 0 … 1.
  void probability(int label, float* out) const;
  // All votes pulled back linearly through Φ_{1,0}, then the plurality: labels for a new image.
  void predict(const float* u_to_atlas, LabelIndex* out) const;
  void predict(const Chain& atlas_to_native, const Grid& native, LabelIndex* out,
               const CarriedLabels& carried = {}) const;

  // Labels for a subject that was added, by the votes of all others. Throws if there are none. The
  // votes are the same afterwards.
  void predict_left_out(const LabelIndex* labels, const float* u_to_subject,
                        const float* u_to_atlas, LabelIndex* out);
  // The Dice of that with the subject's own labels: its terms of d^bridge.
  DiceScores dice(const LabelIndex* labels, const float* u_to_subject, const float* u_to_atlas);
  DiceScores dice(const NativeMap& subject, const Chain& native_to_atlas,
                  const Chain& atlas_to_native);

 private:
  // Adds (sign 1) or takes back (-1) the votes of a map at to_subject(offset, index).
  template <class ToSubject>
  void cast(const NativeMap& subject, int sign, const ToSubject& to_subject);
  // The plurality at to_atlas(offset, index), a continuous index of the atlas grid.
  template <class ToAtlas>
  void pull(const kernels::Shape& shape, LabelIndex* out, const ToAtlas& to_atlas,
            const CarriedLabels& carried = {}) const;
  void require_others() const;

  Grid atlas_;
  kernels::Shape shape_;
  int labels_;
  std::int64_t subjects_ = 0;
  std::vector<std::uint32_t> votes_;  // [voxel][label]
};

}  // namespace aladdin::evaluate
