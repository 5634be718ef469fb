// Transform files of ITK and ANTs (.tfm, .txt, .mat, .h5/.hdf5), as plain numbers. Points are LPS mm.
#pragma once

#include <variant>
#include <vector>

#include "aladdin/core/files.h"
#include "aladdin/image/image.h"

namespace aladdin {

// point -> matrix * point + offset
struct AffineNumbers {
  Mat3 matrix = kIdentity3;
  Vec3 offset{0, 0, 0};
  int dims = 3;
};

// In the order in which they are applied to a point.
using TransformNumbers = std::vector<std::variant<AffineNumbers, VectorImage>>;

// Affine, rigid, similarity, translation and identity transforms, displacement fields and composites
// of these, in 2-D and 3-D, float and double.
TransformNumbers read_itk_transform(const Path& path);

bool is_itk_transform_file(const Path& path);

// Writes an ITK AffineTransform_double: .tfm, .txt (text), .mat (Matlab 4, ANTs) or .h5.
void write_itk_affine(const Path& path, const AffineNumbers& affine);

}  // namespace aladdin
