// Inside this folder only: transform files of ITK and ANTs. Points are LPS mm.
#pragma once

#include "aladdin/core/files.h"
#include "aladdin/transform/chain.h"

namespace aladdin {

// Affine, rigid, similarity, translation and identity transforms, displacement fields and
// composites of these, in 2-D and 3-D, float and double. A hostile file is refused in one sentence.
Chain read_itk_transform(const Path& path);

// An ITK AffineTransform_double; the extension chooses the format.
void write_itk_affine(const Path& path, const Affine& affine);
// A composite of affines and displacements, at least one: .tfm, .txt or .h5.
void write_itk_composite(const Path& path, const Chain& chain);

}  // namespace aladdin
