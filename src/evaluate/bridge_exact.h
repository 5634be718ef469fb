// d^bridge with one interpolation for every pair, M^2 compositions: the value to publish.
//
//   predicted_i(x) = argmax_k  sum_{j != i}  [S_j = k] ( Φ_{0,1,j}( Φ_{1,0,i}(x) ) )
//
// [S_j = k] is the one-hot label map, interpolated linearly at the composed point, where a subject
// has votes of total weight 1 (background outside its map); in a tie the smallest label wins. Dice
// is with S_i. Points are in double; the same bits for any number of threads.
//
// Two spaces: the working grid, with the conventions of bridge.h (beyond its grid a displacement
// continues as at the border), and the subjects' own grids through transform chains, as files have
// them: nothing is resampled first.
#pragma once

#include <span>

#include "aladdin/evaluate/dice.h"
#include "aladdin/kernels/field.h"
#include "aladdin/transform/chain.h"

namespace aladdin::evaluate {

struct BridgeSubject {
  const LabelIndex* labels;
  const float* u_to_subject;  // Φ_{0,1} - id, voxels
  const float* u_to_atlas;    // Φ_{1,0} - id, voxels
};

// `labels` counts the background too. Throws on fewer than two subjects.
void predict_exact(std::span<const BridgeSubject> subjects, std::size_t subject,
                   const kernels::Shape& shape, int labels, LabelIndex* out);
std::vector<DiceScores> bridge_exact(std::span<const BridgeSubject> subjects,
                                     const kernels::Shape& shape, int labels);

// In native space. The names are those of the files: native_to_atlas pulls the native image to the
// atlas, so it maps atlas points to native points; atlas_to_native maps native points to atlas points.
struct NativeSubject {
  const Labels* labels;
  const Chain* native_to_atlas;
  const Chain* atlas_to_native;
};

// All of a cohort, its label maps as indices into `table` (ascending, [0] is 0).
class NativeBridge {
 public:
  // The label maps may go afterwards, the chains must stay. Throws on fewer than two subjects, on a
  // label that is not in the table, on subjects of different dimensions.
  NativeBridge(std::span<const NativeSubject> subjects, const std::vector<std::int32_t>& table);

  std::size_t size() const { return subjects_.size(); }
  // On the subject's own grid, as indices into the table.
  std::vector<LabelIndex> predict(std::size_t subject) const;
  DiceScores dice(std::size_t subject) const;

 private:
  struct Subject {
    Grid grid;
    std::vector<LabelIndex> labels;
    const Chain* native_to_atlas;
    const Chain* atlas_to_native;
  };
  std::vector<Subject> subjects_;
  int labels_;
};

std::vector<DiceScores> bridge_exact(std::span<const NativeSubject> subjects,
                                     const std::vector<std::int32_t>& table);

}  // namespace aladdin::evaluate
