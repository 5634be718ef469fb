// Inside this folder only: ITK's transforms as HDF5 (.h5, .hdf5, .xfm).
//
//   /TransformGroup/0/TransformType              one string, "AffineTransform_double_3_3"
//   /TransformGroup/0/TransformParameters        float or double, 1-D; also as TranformParameters, as ITK once spelt it
//   /TransformGroup/0/TransformFixedParameters
#pragma once

#include "aladdin/transform/stored_transform.h"

namespace aladdin {

std::vector<StoredTransform> read_hdf5_transforms(const Path& path);

}  // namespace aladdin
