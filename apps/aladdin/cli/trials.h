// Trials: builds of one cohort with different settings. Each runs in its own process, so that its
// memory is released and measured by itself, and in its own folder; all are evaluated in the same way.
// A finished trial is not run again, and an interrupted one resumes.
//
//   DIR/NAME/settings.toml   cohort.txt   run   build.log   evaluation-SPLIT.json
#pragma once

#include "aladdin/config/config.h"
#include "aladdin/core/files.h"
#include "aladdin/evaluate/evaluation.h"
#include "cohort_flags.h"

namespace aladdin::app {

struct Trial {
  std::string name;  // and the name of its folder
  Config config;
};

struct TrialOutcome {
  evaluate::Evaluation evaluation;
  double minutes = 0, memory_gb = 0;
};

struct TrialOptions {
  Path folder;
  const CohortFlags& cohort;
  std::string split;  // the subjects to measure
  bool exact = false;
  std::string device = "cpu";
};

// Throws Error with the message of a build that fails, Interrupted if the build was stopped.
TrialOutcome run_trial(const Trial& trial, const TrialOptions& options);

// Throws unless the folder is missing, empty, or holds trials of this command.
void require_trial_folder(const Path& folder, const char* command);

}  // namespace aladdin::app
