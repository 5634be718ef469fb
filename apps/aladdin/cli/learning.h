// Opens libaladdin_learning, with Torch, on the first call.
#pragma once

#include "aladdin/train/learning.h"

namespace aladdin::app {

const Learning& learning();

}  // namespace aladdin::app
