// Where in an image its subject is.
#pragma once

#include <cstdint>

#include "aladdin/image/image.h"

namespace aladdin {

// Voxels first … last of each axis, both included.
struct Box {
  Size3 first{0, 0, 0}, last{0, 0, 0};
};

// A box in the world, mm.
struct Extent {
  Vec3 low, high;
  Vec3 centre() const { return 0.5 * (low + high); }
};

// The outer edges of the voxels of `box`.
Extent extent_of(const Grid& grid, const Box& box);

// The voxels where the mask is not 0, if there is a mask. Else, if more than half of the outer
// faces hold one single value (skull-stripped or padded images), the voxels that differ from it.
// Else, and for a constant image, the whole field of view. An empty mask is an error.
Box find_content(const Image& image, const Labels* mask, const std::string& name);

}  // namespace aladdin
