// For the fuzz target of checkpoints and its seeds: a training of two balls on eight by eight voxels.
#pragma once

#include "aladdin/method/test_cohort.h"
#include "aladdin/train/training_state.h"

namespace aladdin::fuzz {

inline TrainingData two_balls(const testing::TemporaryFolder& folder) {
  Grid grid;
  grid.dims = 2;
  grid.size = {8, 8, 1};
  for (const int n : {0, 1})
    write_image(folder / fmt::format("s{}.nii.gz", n), testing::ball(grid, n));
  return {testing::load_cohort(folder, "id,image\ns0,s0.nii.gz\ns1,s1.nii.gz\n"), at::kCPU};
}

// With so few weights that a checkpoint is not longer than the inputs.
inline TrainingState small_training(Engine engine) {
  static const testing::TemporaryFolder folder;
  static const TrainingData data = two_balls(folder);
  Config config = testing::small_config();
  config.network.width = 1;
  config.train.engine = engine;
  config.train.average = 0;
  config.atlas.update = AtlasRule::adam;
  return {config, make_learner(config, data), data.image(0)};
}

}  // namespace aladdin::fuzz
