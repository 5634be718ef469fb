// Transform files of ITK and ANTs (.tfm, .txt, .mat, .h5/.hdf5). Points are LPS mm.
#pragma once

#include "aladdin/core/files.h"
#include "aladdin/transform/chain.h"

namespace aladdin {

// Affine, rigid, similarity, translation and identity transforms, displacement fields and
// composites of these, in 2-D and 3-D, float and double.
Chain read_itk_transform(const Path& path);

bool is_itk_transform_file(const Path& path);

// Writes an ITK AffineTransform_double: .tfm, .txt (text), .mat (Matlab 4, ANTs) or .h5.
void write_itk_affine(const Path& path, const Affine& affine);

}  // namespace aladdin
