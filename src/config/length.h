// The weight of bending in mm, which the optimiser and the training take (LossConfig::length).
#pragma once

#include <array>

#include "aladdin/config/config.h"

namespace aladdin {

// From voxels of a grid of such spacing: bending in units of its voxel means the same stiffness, seen by the window of
// LNCC, on a hippocampus of 5 cm and on a knee of 14. Does nothing where it is in mm already.
void resolve_length(LossConfig& loss, const std::array<double, 3>& spacing_mm, int dims);

}  // namespace aladdin
