// With `train.affine`: where an image that is not for training is placed before anything else.
#pragma once

#include "aladdin/config/choices.h"
#include "aladdin/image/image.h"
#include "aladdin/transform/affine.h"

namespace aladdin {

// By mse, or by ncc for the similarities that leave the intensities' scale free.
bool places_by_ncc(SimilarityKind similarity);

// From points of `mean`, that of the aligned training images, to points of `image`; both in the working space.
Affine place_on_mean(const Image& mean, const Image& image, SimilarityKind similarity);

// `grid` as it lies in a subject's space: an image that is resampled to it is pulled through the map, and is interpolated
// once. Its axes may be sheared: it is only resampled to.
Grid placed(const Grid& grid, const Affine& to_subject);

}  // namespace aladdin
