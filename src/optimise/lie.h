// The composition of two flows as one flow, by the first terms of Baker, Campbell and Hausdorff:
//
//   exp(v) o exp(w) = exp(v + w + [v, w] / 2 + ([v, [v, w]] - [w, [v, w]]) / 12 + …),    [v, w] = Dv w - Dw v
//
// For a small w, such as what the registrations of a cohort have in common, the rest does not matter; without the
// brackets a rotated or scaled subject would be moved beside its atlas.
#pragma once

#include <vector>

#include "aladdin/kernels/field.h"

namespace aladdin {

// Velocities on the grid `shape`, in its voxels, planar. Derivatives are central differences, one-sided at the border.
std::vector<float> bracket(const std::vector<float>& v, const std::vector<float>& w,
                           const kernels::Shape& shape);
std::vector<float> composed(const std::vector<float>& v, const std::vector<float>& w,
                            const kernels::Shape& shape);

}  // namespace aladdin
