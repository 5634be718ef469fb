// The value of --transform, shared by the commands that take one: FILE, "FILE,inverse" or
// "identity".
#pragma once

#include <string>
#include <vector>

#include "aladdin/transform/chain.h"

namespace aladdin::app {

// In the order of antsApplyTransforms: the last argument is applied first to a point of the output
// space. All transforms must have the same dimension.
Chain read_chain(const std::vector<std::string>& arguments);

}  // namespace aladdin::app
