// How good the registration is on the validation subjects, with the averaged weights and the atlas as
// it is: the bridge Dice if they have labels (evaluate/bridge.h, on the working grid, summed votes),
// else their energy without pairs.
#pragma once

#include <optional>

#include "aladdin/method/energy.h"
#include "aladdin/method/training_data.h"

namespace aladdin {

struct Validation {
  double energy = 0;                  // sim L_sim + lambda L_reg, a mean over the subjects
  std::optional<double> bridge_dice;  // mean over the subjects
  std::int64_t folds = 0;             // voxels with det J < 0, both directions, all subjects

  // Greater is better, for one kind of validation.
  double score() const { return bridge_dice ? *bridge_dice : -energy; }
};

// Throws if there are no validation subjects.
Validation validate(const Velocities& velocities, const Flow& flow, const at::Tensor& atlas,
                    const TrainingData& data, const Energy& energy);

}  // namespace aladdin
