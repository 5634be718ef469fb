// The entry to the training library. Torch takes 0.4 s to load, so the program opens
// libaladdin_learning only to build or to refine, not at every start.
#pragma once

#include "aladdin/train/build.h"

namespace aladdin {

struct Learning {
  decltype(&aladdin::build) build;
};

// The name of the function that returns it, for dlsym.
constexpr const char* kLearningEntry = "aladdin_learning";

}  // namespace aladdin

extern "C" const aladdin::Learning* aladdin_learning();
