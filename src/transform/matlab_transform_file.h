// Inside this folder only: ITK's and ANTs' transforms as Matlab 4 files (.mat). Two variables each, both columns of
// numbers: the parameters, with the class for a name, and "fixed".
#pragma once

#include "aladdin/transform/stored_transform.h"

namespace aladdin {

std::vector<StoredTransform> read_matlab_transforms(const Path& path);

}  // namespace aladdin
