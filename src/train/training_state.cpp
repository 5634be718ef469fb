#include "aladdin/train/training_state.h"

namespace aladdin {

TrainingState::TrainingState(const Config& config, Registration net, at::Tensor start)
    : registration(std::move(net)),
      adam(registration.network().parameters(),
           {.clip = config.train.clip, .average = config.train.average}),
      atlas(start.clone()),
      first_atlas(start) {
  if (config.atlas.update == "learned") atlas_gradient = at::zeros_like(atlas);
}

Registration TrainingState::averaged() const { return with(adam.averaged()); }

Registration TrainingState::with(const std::vector<at::Tensor>& parameters) const {
  Registration out(registration.config(), Unet(registration.network().options(), parameters));
  out.centre = registration.centre;
  return out;
}

}  // namespace aladdin
