// Trials: builds of one cohort that differ in their settings, each a process of its own (so that its
// memory is its own) in a folder of its own, and evaluated alike. What is done is kept: the same trial
// in the same folder is not run again, and one that was killed goes on.
//
//   DIR/NAME/settings.toml   cohort.txt   run   build.log   evaluation-SPLIT.json
#pragma once

#include "aladdin/config/config.h"
#include "aladdin/core/files.h"
#include "aladdin/evaluate/evaluation.h"
#include "cohort_flags.h"

namespace aladdin::app {

struct Trial {
  std::string name;  // of its folder
  Config config;
};

struct TrialOutcome {
  evaluate::Evaluation evaluation;
  double minutes = 0, memory_gb = 0;
};

struct TrialOptions {
  Path folder;
  const CohortFlags& cohort;
  std::string split;  // whose subjects are measured
  bool exact = false;
  std::string device = "cpu";
};

// Throws Error where the build fails, with its own sentence; Interrupted where it was stopped.
TrialOutcome run_trial(const Trial& trial, const TrialOptions& options);

// The folder may be empty, not there, or hold such trials.
void require_trial_folder(const Path& folder, const char* command);

}  // namespace aladdin::app
