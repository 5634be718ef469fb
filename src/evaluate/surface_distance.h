// Distances between the surfaces of two structures, in mm.
//
// The surface of a structure is its voxels with a face neighbour that is not in it; beyond the grid
// nothing is in it. d(a, B) is the Euclidean distance from the centre of the surface voxel a to the
// nearest centre on the surface B, exact.
//
//   average = ( sum_{a in A} d(a, B) + sum_{b in B} d(b, A) ) / (|A| + |B|)
//   hd95    = max( P95_{a in A} d(a, B), P95_{b in B} d(b, A) )
//   hd      = the same with the maximum in place of P95
//
// P95 is the percentile with linear interpolation between ranks, as NumPy's. A structure that either
// map lacks has no value.
#pragma once

#include "aladdin/evaluate/dice.h"

namespace aladdin::evaluate {

struct SurfaceDistance {
  double average_mm = 0, hd95_mm = 0, hd_mm = 0;
};

// By label index, as DiceScores::of. Both maps are on `grid`, whose axes are orthogonal.
std::vector<std::optional<SurfaceDistance>> surface_distances(const LabelIndex* predicted,
                                                              const LabelIndex* truth,
                                                              const Grid& grid, int labels);

}  // namespace aladdin::evaluate
