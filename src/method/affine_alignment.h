// Affine alignment of a cohort before everything else (`train.affine`), and row B of the paper's table: all images are
// registered to their mean, the mean is recomputed from the results, and so on, from coarse to fine
// (transform/affine_registration.h). The mean of the maps is removed from each map, so the cohort stays where it is.
// Subjects that are not for training are aligned to the final mean, as new images are (network/affine_placement.h).
#pragma once

#include "aladdin/method/training_data.h"

namespace aladdin {

struct AffineAlignment {
  std::vector<Affine> to_subject;  // from atlas points to those of each subject, working space, mm
  Image mean;                      // of the aligned training images, on the padded grid
};

// By mse, or by ncc for the similarities that leave the intensities' scale free.
AffineAlignment align_affinely(const TrainingData& data, SimilarityKind similarity);

}  // namespace aladdin
