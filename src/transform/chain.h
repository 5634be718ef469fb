// Chain: transforms in the order in which they are applied to a point.
//
// The one convention: a transform maps points of the space resampled *to* into the space resampled
// *from*. To pull a native image onto the atlas grid, the chain takes atlas points to native points.
#pragma once

#include <variant>
#include <vector>

#include "aladdin/transform/affine.h"
#include "aladdin/transform/displacement.h"

namespace aladdin {

using Transform = std::variant<Affine, Displacement>;
using Chain = std::vector<Transform>;

}  // namespace aladdin
