// Resampling by a translation only: out(x) = in(x + shift), x a point of `grid`. That is all a
// cohort needs to get onto its working grid; everything that bends is in src/transform.
//
// Images: linear. Where the target is coarser than the source by more than 1.5 along an axis, the
// source is first smoothed along it by a Gaussian of the variance (r^2 - 1) / (8 ln 2) voxels^2, r
// the ratio of the spacings (Cardoso et al. 2015), so that nothing aliases. Up to half a voxel
// beyond the outermost voxels the border is continued; farther out the value is `outside`.
//
// Labels: each voxel votes for its label with its linear weight; the heaviest label wins, of equals
// the smaller. On coarser grids the votes of ceil(r) points along each axis of the target voxel
// count, and of equals (half of a voxel is a common share then) the one nearer to index 0 wins,
// since any rule that prefers labels would shrink or swell them. Farther out than half a voxel the
// vote is for `outside`.
//
// Where target points fall on source voxels within 1e-4 of a voxel the result is that voxel's own
// value, to the bit.
#pragma once

#include "aladdin/image/image.h"

namespace aladdin {

Image resample(const Image& image, const Grid& grid, const Vec3& shift = {0, 0, 0},
               float outside = 0);
Labels resample(const Labels& labels, const Grid& grid, const Vec3& shift = {0, 0, 0},
                std::int32_t outside = 0);

// 1 where resample() finds a value in an image on `source`, 0 where it fills in `outside`.
Labels field_of_view(const Grid& source, const Grid& grid, const Vec3& shift = {0, 0, 0});
// Whether that is 1 everywhere.
bool covers(const Grid& source, const Grid& grid, const Vec3& shift = {0, 0, 0});

// The axis of `grid` that runs nearest to each world axis, a permutation.
std::array<int, 3> nearest_axes(const Grid& grid);

}  // namespace aladdin
