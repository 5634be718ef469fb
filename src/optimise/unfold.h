// What is published must not fold, by the strict count (evaluate/folds.h): where it does, the velocity is smoothed.
#pragma once

#include <vector>

#include "aladdin/kernels/field.h"

namespace aladdin {

// v on every scale-th voxel of `full`, in its voxels. exp(v) and exp(-v) on `full`, integrated there as they are
// published, are looked at; around their folded cells v is replaced by its local mean, in growing neighbourhoods, until
// no cell is folded. Returns the number of rounds; 0: it did not fold.
int unfold(std::vector<float>& v, const kernels::Shape& full, int scale, int squarings,
           kernels::Border border);

}  // namespace aladdin
