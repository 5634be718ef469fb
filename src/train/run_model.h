// The model file's content, from what was trained (network/model.h).
#pragma once

#include "aladdin/method/learner.h"

namespace aladdin {

// The model that registers to A o exp(-centre), A the atlas that was trained against; `published` is that. centre on the
// velocity grid, or undefined. A model that registers nobody holds the atlas as it is published and needs no centre.
Model model_of_run(const Config& config, const TrainingData& data, const Learner& learner,
                   const at::Tensor& seen, const at::Tensor& published, const at::Tensor& centre);

// Whether a model of this training registers images by itself (network/registrar.h): what it finds is a velocity.
bool has_registrar(const Config& config);

}  // namespace aladdin
