// Where in an image its subject is.
#pragma once

#include <cstdint>

#include "aladdin/image/image.h"

namespace aladdin {

// Voxels first … last of each axis, both included.
struct Box {
  Size3 first{0, 0, 0}, last{0, 0, 0};
};

// The voxels where the mask is not 0, if there is a mask. Else, if more than half of the outer
// faces hold one single value (skull-stripped or padded images), the voxels that differ from it.
// Else the whole field of view. An empty mask is an error; a constant image has the whole field of
// view.
Box find_content(const Image& image, const Labels* mask, const std::string& name);

}  // namespace aladdin
