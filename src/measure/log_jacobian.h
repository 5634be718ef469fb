// How much larger a subject is than the atlas, at every point of the atlas.
//
// The transform maps atlas points x to native points y(x), so its Jacobian says what becomes of a
// small piece of the atlas in the subject:
//
//   absolute(x) = log det dy/dx             > 0: the subject is larger there than the atlas
//   relative(x) = absolute(x) - log |det A|
//
// where A is the matrix of the least-squares affine fit y ~ A x + b over the voxels of a mask: relative
// is what is left once the size of the whole has been removed. Both have no unit. The determinant is
// that of central differences on the atlas grid, one-sided at its border (kernels/jacobian.h).
#pragma once

#include <cstdint>
#include <vector>

#include "aladdin/transform/chain.h"

namespace aladdin::measure {

// The least determinant whose logarithm is taken. Where a transform folds (determinant <= 0, or not
// a number) there is no logarithm; that of the floor stands in its place.
constexpr double kSmallestDeterminant = 1e-3;

// On the atlas grid. Sets `folds`, if given, to the number of voxels that fold.
Image log_jacobian(const Chain& native_to_atlas, const Grid& atlas, std::int64_t* folds = nullptr);
// The same for a field that lives on the atlas grid.
Image log_jacobian(const Displacement& native_to_atlas, std::int64_t* folds = nullptr);

// log |det A| over the voxels where `mask`, on the atlas grid, is not 0. Throws if these lie in a
// plane (2-D: on a line), which no affine map can be fitted to.
double affine_log_jacobian(const Chain& native_to_atlas, const Grid& atlas,
                           const std::vector<std::uint8_t>& mask);
double affine_log_jacobian(const Displacement& native_to_atlas,
                           const std::vector<std::uint8_t>& mask);

}  // namespace aladdin::measure
