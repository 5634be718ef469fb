// Checkpoints: the whole TrainingState in a checksummed safetensors file, written beside and renamed.
// The two newest are kept; a damaged newest one is reported and the one before is used.
#pragma once

#include "aladdin/run/run_directory.h"
#include "aladdin/train/training_state.h"

namespace aladdin {

// `identity` says which training this is (configuration and cohort); only the same may go on.
void write_checkpoint(const RunDirectory& run, const TrainingState& state,
                      const std::string& identity);

bool has_checkpoint(const RunDirectory& run);

// Fills all of `state` and returns true, or false where there is no checkpoint. Throws if there are some but
// none can be read, and if they belong to another training. Every tensor has the shape that it had in
// `state`, every number can be counted on from; whether the training has such a step, who runs it knows.
bool read_checkpoint(const RunDirectory& run, TrainingState& state, const std::string& identity);

}  // namespace aladdin
