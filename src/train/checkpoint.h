// Checkpoints: the whole TrainingState in a checksummed safetensors file, written beside and renamed.
// The two newest are kept; a damaged newest one is reported and the one before is used.
#pragma once

#include "aladdin/run/run_directory.h"
#include "aladdin/train/training_state.h"

namespace aladdin {

// `identity` stands for the training (configuration and cohort); only the same one can be resumed.
void write_checkpoint(const RunDirectory& run, const TrainingState& state,
                      const std::string& identity);

bool has_checkpoint(const RunDirectory& run);

// Fills all of `state` and returns true, or false where there is no checkpoint. Throws if there are some but
// none can be read, and if they belong to another training. Every tensor has the shape that it had in
// `state`, and no counter can overflow; the caller checks whether the training has such a step.
bool read_checkpoint(const RunDirectory& run, TrainingState& state, const std::string& identity);

}  // namespace aladdin
