// Inside this folder only: affines and warps of other programs that are not read, each named for what it is.
#pragma once

#include "aladdin/core/files.h"

namespace aladdin {

// .lta, .x5, .1d: extensions that only such files have.
bool has_foreign_extension(const Path& path);

// Throws, with the way to convert it, where the file is
//   FreeSurfer's LTA, an X5 file, a matrix of AFNI, an MNI .xfm;
//   a plain 4 x 4 matrix as text, whatever its extension. Greedy, c3d and NiftyReg mean RAS mm by it, FSL the scaled
//   voxels of two images, and nothing in the file says which: it is not guessed.
void refuse_foreign_transform(const Path& path);

}  // namespace aladdin
