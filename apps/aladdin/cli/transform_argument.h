// The value of --transform, shared by the commands that take one: FILE or "identity", and behind it, in any order,
//   ,inverse       the inverse of the transform
//   ,as=FORMAT     whose file it is, where it does not say so (transform/transform_format.h)
//   ,src=IMAGE     the image that it resamples, for FSL
//   ,ref=IMAGE     the image onto whose grid, for FLIRT
#pragma once

#include <string>
#include <vector>

#include "aladdin/transform/chain.h"

namespace aladdin::app {

// The last argument is applied first to a point of the output space; antsApplyTransforms has the other order. All transforms must have the same dimension.
Chain read_chain(const std::vector<std::string>& arguments);

}  // namespace aladdin::app
