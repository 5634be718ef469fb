// Chain: transforms in the order in which they are applied to a point.
//
// The one convention: a transform maps points of the space resampled *to* into the space resampled
// *from*. To pull a native image onto the atlas grid, the chain takes atlas points to native
// points.
#pragma once

#include <variant>
#include <vector>

#include "aladdin/transform/affine.h"
#include "aladdin/transform/displacement.h"

namespace aladdin {

using Transform = std::variant<Affine, Displacement, InverseDisplacement>;
using Chain = std::vector<Transform>;

int dims_of(const Transform& transform);
// Throws unless every transform of the chain has `dims` dimensions.
void require_dims(const Chain& chain, int dims);

// Affines are inverted exactly (a singular one throws), displacements become InverseDisplacement.
Transform inverse(Transform transform);
// The inverse of every transform, in reverse order: chain after inverse(chain) is the identity.
Chain inverse(Chain chain);

// Maps points in place. Warns of points that the inverse of a displacement cannot reach, and of
// those outside the grid of a displacement, which stay where they are.
void map_points(const Chain& chain, std::vector<Vec3>& points);
Vec3 map_point(const Chain& chain, const Vec3& point);

// The whole chain as one field on `grid`, u(x) = chain(x) - x: how centre shifts and affines get
// into an exported field. Between voxels it is the linear interpolation of that.
Displacement to_displacement(const Chain& chain, const Grid& grid);

}  // namespace aladdin
