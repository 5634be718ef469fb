#include "aladdin/train/checkpoint.h"

#include "fuzz.h"
#include "small_training.h"

using namespace aladdin;

// Both learners read it, and what they read registers, as when it is published.
ALADDIN_FUZZ(data, size) {
  static TrainingState states[] = {fuzz::small_training(Engine::learn),
                                   fuzz::small_training(Engine::optimise)};
  fuzz::input_file("run/checkpoints/step-000000000000.safetensors", data, size);
  for (TrainingState& state : states)
    fuzz::meet([&] {
      read_checkpoint(RunDirectory{fuzz::folder() / "run"}, state, "");
      state.learner->use_best();
      state.learner->registered(state.atlas, 0, 1);
    });
  return 0;
}
