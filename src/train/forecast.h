// How long a build will take, from what its parts take once: for --dry-run.
#pragma once

#include "aladdin/train/trainer.h"

namespace aladdin {

struct Forecast {
  std::vector<double> steps;  // seconds of a step, one for each stage
  double training = 0;        // seconds, with validations and updates of the atlas
  double publishing = 0;      // registrations of all subjects, their files, the page
};

// Of a trainer that is not run afterwards; with the page or without.
Forecast forecast(const Config& config, const TrainingData& data, Trainer& trainer, bool page);

}  // namespace aladdin
