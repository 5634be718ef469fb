// Inside this folder only: affines and warps of other programs that are not read, each named for what it is.
#pragma once

#include "aladdin/core/files.h"

namespace aladdin {

// .1d, .m3z: extensions that only such files have.
bool has_foreign_extension(const Path& path);

// Throws, with the way to convert it, where the file is
//   FreeSurfer's M3Z, a matrix of AFNI, an MNI .xfm;
//   a plain 4 x 4 matrix as text, whatever its extension (matrix_text.h): it is not guessed whose it is.
void refuse_foreign_transform(const Path& path);

}  // namespace aladdin
