// Agreement in image space (Sec. 4.2 of the paper), S the segmentation of the atlas:
//
//   d^image_k = 1/M sum_i Dice_k( S o Φ_i^-1, S_i )
//
// S is given (an atlas that was segmented) or voted: BridgeVotes::consensus, AtlasSpace::consensus.
// At each voxel the label with the largest linearly interpolated share is taken; background where
// Φ_i^-1 leaves the atlas. These are the terms of the sum; `summarise` makes d^image of them.
#pragma once

#include "aladdin/evaluate/dice.h"
#include "aladdin/kernels/field.h"
#include "aladdin/transform/chain.h"

namespace aladdin::evaluate {

// On the working grid; u_to_atlas = Φ_{1,0} - id in voxels, planar.
DiceScores image_space_dice(const LabelIndex* atlas, const LabelIndex* own, const float* u_to_atlas,
                            const kernels::Shape& shape, int labels);
// On the subject's own grid; `table` as in index_labels.
DiceScores image_space_dice(const Labels& atlas, const Labels& own, const Chain& atlas_to_native,
                            const std::vector<std::int32_t>& table);

}  // namespace aladdin::evaluate
