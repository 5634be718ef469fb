// Inside this folder only: transforms of FSL. Its points are scaled voxels: index times spacing, in mm, with the first
// index counted from the other end where the image is stored in "neurological" order (the determinant of its index-to-RAS
// matrix is positive). So both kinds of files are meant for two images, the source, which is resampled, and the reference.
//
//   FLIRT   4 x 4 matrix as text, source to reference, which is the way that points of the source go
//   FNIRT   4-D NIfTI of three volumes on the reference grid: where its voxels come from in the source, as positions or
//           as what is added to their own. The linear part of positions is nearer to a rotation than that of the sum of
//           these numbers and the voxels' own positions; of differences it is the other way round.
#pragma once

#include "aladdin/transform/chain.h"
#include "aladdin/transform/transform_format.h"

namespace aladdin {

// Index-to-point of a grid in FSL's coordinates, after LPS: scaled voxel = fsl_of(grid)(point).
Affine fsl_of(const Grid& grid);

// Both images must be there.
Affine read_flirt(const TransformFile& file);
// The reference is the field's own grid.
Displacement read_fnirt(const TransformFile& file);

std::string text_of_flirt(const Affine& affine, const Grid& source, const Grid& reference);
// As differences, on the grid of the displacement.
void write_fnirt(const Path& path, const Displacement& displacement, const Grid& source);

}  // namespace aladdin
