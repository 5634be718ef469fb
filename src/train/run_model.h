// The model file's content, from what was trained (network/model.h).
#pragma once

#include "aladdin/method/learner.h"

namespace aladdin {

// The model that registers to A o exp(-centre), A the atlas that was trained against; centre on the velocity grid, or
// undefined.
Model model_of_run(const Config& config, const TrainingData& data, const Learner& learner,
                   const at::Tensor& atlas, const at::Tensor& centre);

// Whether its registrations are velocities, which are then published.
bool has_velocities(const Config& config);

}  // namespace aladdin
