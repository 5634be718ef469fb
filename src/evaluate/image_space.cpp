#include "aladdin/evaluate/image_space.h"

#include "aladdin/evaluate/consensus.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin::evaluate {

DiceScores image_space_dice(const LabelIndex* atlas, const LabelIndex* own, const float* u_to_atlas,
                            const kernels::Shape& shape, int labels) {
  std::vector<LabelIndex> pulled(static_cast<std::size_t>(shape.voxels()));
  pull_labels(atlas, u_to_atlas, shape, labels, pulled.data());
  return dice(pulled.data(), own, shape.voxels(), labels);
}

DiceScores image_space_dice(const Labels& atlas, const Labels& own, const Chain& atlas_to_native,
                            const std::vector<std::int32_t>& table) {
  const auto pulled = index_labels(pull_back(atlas, atlas_to_native, own.grid), table);
  const auto truth = index_labels(own, table);
  return dice(pulled.data(), truth.data(), own.grid.voxels(), static_cast<int>(table.size()));
}

}  // namespace aladdin::evaluate
