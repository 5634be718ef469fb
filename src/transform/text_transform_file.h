// Inside this folder only: ITK's transforms as text (.tfm, .txt).
//
//   #Insight Transform File V1.0
//   #Transform 0
//   Transform: AffineTransform_double_2_2
//   Parameters: 1 0 0 1 5 6
//   FixedParameters: 0 0
//
// ITK's own reader leaves a transform at the identity, or gives it whatever is in memory, where numbers are missing.
// Here both lists must be there once, and the last line must have an end, so that no number is cut short unseen.
#pragma once

#include "aladdin/transform/stored_transform.h"

namespace aladdin {

std::vector<StoredTransform> read_text_transforms(const Path& path);

// The whole of such a file; every number comes back to the bit.
std::string text_of_affine(const Affine& affine);

}  // namespace aladdin
