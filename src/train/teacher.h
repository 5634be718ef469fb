// The teacher of a network: before a network learns, the velocities of its training subjects are optimised one by one, and
// the atlas with them, as by the engine `optimise`. The network then learns against that atlas, which stays, and its
// loss has the distance to those velocities besides the energy (method/energy.h). So the atlas is as good as the
// optimiser's, and the network need not discover by itself what is already known of its own subjects.
#pragma once

#include "aladdin/run/run_directory.h"
#include "aladdin/train/training_state.h"

namespace aladdin {

// The settings of the optimisation.
Config teacher_of(const Config& config);
// Where its checkpoints are; removed when the run is finished.
RunDirectory teacher_folder(const RunDirectory& run);

}  // namespace aladdin
