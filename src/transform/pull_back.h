// Pull back: out(x) = image(chain(x)) for every voxel x of a grid, as ITK's ResampleImageFilter: a
// point within half a voxel of the image's outermost voxels is inside, every other point gives 0.
// Coordinates are double; the work is split over rows and gives the same bits for any thread count.
#pragma once

#include <string>

#include "aladdin/transform/chain.h"

namespace aladdin {

enum class Interpolation {
  linear,
  nearest,  // halves round up
  label,    // each label as an image of 0 and 1, interpolated linearly; the largest wins (of equals
  // the smallest label). Looks only at the 2^d voxels around, so any number of labels costs
  // the same.
  bspline  // cubic B-spline through the voxels (mirror border), as ITK's BSplineInterpolate, order
           // 3
};

// "linear", …; an unknown name is a usage error that names the nearest.
Interpolation parse_interpolation(const std::string& name);
std::string name_of(Interpolation interpolation);

// An Image takes linear, nearest or bspline; Labels take label or nearest.
Image pull_back(const Image& image, const Chain& chain, const Grid& grid,
                Interpolation interpolation = Interpolation::linear);
Labels pull_back(const Labels& labels, const Chain& chain, const Grid& grid,
                 Interpolation interpolation = Interpolation::label);

}  // namespace aladdin
