// The whole state of a training: from it, the training continues to the same bits as if it had never
// stopped. Random numbers need no state: each epoch and step has its own stream.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aladdin/method/learner.h"

namespace aladdin {

// Where the training is: `step` of `epoch` of `stage` comes next.
struct Position {
  std::size_t stage = 0;
  int epoch = 0;                // within the stage
  std::int64_t step = 0;        // within the epoch
  std::int64_t epochs = 0;      // all so far
  std::int64_t steps = 0;       // all so far
  double seconds = 0;           // spent in training, over all its processes
  bool atlas_is_final = false;  // it stays as it is from here on
  bool finished = false;
};

// Sums over the steps of the running epoch.
struct EpochSums {
  double energy = 0, sim = 0, reg = 0, atlas_pairs = 0, image_pairs = 0, dice = 0, norm = 0;
  std::int64_t steps = 0;
};

struct TrainingState {
  TrainingState(const Config& config, std::unique_ptr<Learner> learner, at::Tensor first_atlas);

  std::unique_ptr<Learner> learner;
  at::Tensor atlas;                      // (1, 1, …)
  at::Tensor first_atlas;                // what hold_intensities holds on to
  at::Tensor atlas_gradient;             // learned: sum over the epoch; else undefined
  at::Tensor atlas_first, atlas_second;  // adam: its moments; else undefined
  Position position;
  EpochSums sums;
  std::string metrics;  // the lines of metrics.csv so far
  // The best validation score, label-free or not, since the atlas is final.
  std::optional<double> best_score;
  int since_best = 0;
};

}  // namespace aladdin
