#include "aladdin/train/training_state.h"

namespace aladdin {

TrainingState::TrainingState(const Config& config, std::unique_ptr<Learner> what, at::Tensor start)
    : learner(std::move(what)), atlas(start.clone()), first_atlas(start) {
  if (config.atlas.update == AtlasRule::learned) atlas_gradient = at::zeros_like(atlas);
  if (config.atlas.update != AtlasRule::adam) return;
  atlas_first = at::zeros_like(atlas);
  atlas_second = at::zeros_like(atlas);
}

}  // namespace aladdin
