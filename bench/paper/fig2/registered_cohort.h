// A cohort whose images are registered to an atlas, all in memory: what Fig. 2 perturbs.
#pragma once

#include "aladdin/core/files.h"
#include "aladdin/transform/chain.h"

namespace aladdin::bench {

struct Registered {
  std::string id;
  Image image;  // 0 … 1
  Labels labels;
  Chain native_to_atlas;         // Phi: pulls the image to the atlas
  Displacement atlas_to_native;  // Phi^-1 on the image's own grid
};

struct RegisteredCohort {
  std::string name;
  Image atlas;  // 0 … 1
  std::vector<Registered> subjects;
};

// A run directory: its validation subjects and its atlas. A folder that `aladdin synth` made: all
// subjects with their true transforms, and their forward mean (Eq. 4) as the atlas.
RegisteredCohort read_registered_cohort(const Path& folder);

}  // namespace aladdin::bench
