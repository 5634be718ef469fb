// The values of a configuration, checked before any work starts.
#pragma once

#include "aladdin/config/config.h"

namespace aladdin {

// Throws a usage error that names the setting, its value and what is expected of it: the constraint of
// visit.h, or what two settings ask of each other (pairs need a batch of 2, a share for each stage of
// the pyramid, patience needs validations, and so on).
void validate(const Config& config);

}  // namespace aladdin
