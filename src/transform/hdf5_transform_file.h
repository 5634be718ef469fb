// Inside this folder only: ITK's transforms as HDF5 (.h5, .hdf5, .xfm).
//
//   /TransformGroup/0/TransformType              one string, "AffineTransform_double_3_3"
//   /TransformGroup/0/TransformParameters        float or double, 1-D; also as TranformParameters, as ITK once spelt it
//   /TransformGroup/0/TransformFixedParameters
//
// HDF5's library overruns memory and loops on damaged files, and a file may have it open others: it works apart
// (core/apart.h), links, plugins and outside storage are refused, and numbers are bounded by the length of the file.
#pragma once

#include "aladdin/transform/stored_transform.h"

namespace aladdin {

std::vector<StoredTransform> read_hdf5_transforms(const Path& path);

}  // namespace aladdin
