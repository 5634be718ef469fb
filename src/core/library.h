// Where this library is.
#pragma once

#include "aladdin/core/files.h"

namespace aladdin {

// The folder that libaladdin was loaded from.
Path library_folder();

}  // namespace aladdin
