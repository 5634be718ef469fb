// How far there and back again is from the identity:
//
//   e(x) = | Φ_{1,0}( Φ_{0,1}(x) ) - x |
//
// over the atlas voxels x whose Φ_{0,1}(x) stays inside the grid that Φ_{1,0} lives on (between its
// outermost voxels), because beyond it nothing is known. In mm, and in voxels along the grid's axes.
#pragma once

#include "aladdin/kernels/field.h"
#include "aladdin/transform/chain.h"

namespace aladdin::evaluate {

struct InverseConsistency {
  double mean_mm = 0, max_mm = 0, mean_vox = 0, max_vox = 0;
  std::int64_t voxels = 0;  // that stay inside
};

// On one working grid: displacements in voxels, planar, u_to_subject = Φ_{0,1} - id and
// u_to_atlas = Φ_{1,0} - id.
InverseConsistency inverse_consistency(const float* u_to_subject, const float* u_to_atlas,
                                       const kernels::Shape& shape,
                                       const std::array<double, 3>& spacing_mm);

// The same for chains, named like the files: native_to_atlas maps atlas points to native points. Over the voxels
// of `atlas`, in its voxels; inside is where every displacement of both chains has a value.
InverseConsistency inverse_consistency(const Chain& native_to_atlas, const Chain& atlas_to_native,
                                       const Grid& atlas);

}  // namespace aladdin::evaluate
