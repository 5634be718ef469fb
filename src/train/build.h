// `aladdin build` as a function: a cohort in, a run directory out. No Torch in this header: the
// program loads the training library only when it is needed (learning.h).
#pragma once

#include <map>

#include "aladdin/config/config.h"
#include "aladdin/image/cohort.h"
#include "aladdin/image/working_grid.h"
#include "aladdin/transform/export.h"

namespace aladdin {

struct BuildOptions {
  std::string source;
  CohortOptions cohort;
  WorkingGridOptions grid;
  Config config;
  std::string preset = "default";
  std::string command;  // as it was typed, for run.json
  Path run;
  std::string device = "cpu";  // a Torch device: cpu, cuda, cuda:1
  bool resume = false;         // continue from the last checkpoint, or start if there is none
  bool force = false;          // replace an existing run
  bool dry_run = false;        // plan only
  bool warped = false;
  FieldGrid fields = FieldGrid::registration;  // of from-atlas_to-native
  std::string
      bids{};  // label of the atlas in a BIDS derivative dataset (bids/derivatives.h); empty: none is written
  bool report = true;                             // report.html, while it trains and at the end
  std::map<std::string, std::string> versions{};  // of this program and its libraries, for run.json
  // The first SIGINT or SIGTERM ends the training after a step, with a checkpoint and Interrupted
  // (core/interrupt.h). For programs.
  bool take_signals = false;
  std::string resume_command;  // shown when the training stops
  // Train together with the other processes that mpirun, srun or torchrun started with this one
  // (team/launch.h). For programs.
  bool join_team = false;
};

void build(const BuildOptions& options);

}  // namespace aladdin
