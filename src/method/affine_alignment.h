// Affine alignment of a cohort before anything else (`train.affine`), and row B of the paper's table: all
// images are registered to their mean, the mean is made anew of the results, and again, from coarse
// to fine (transform/affine_registration.h). The mean of the maps is taken out of each, so that the
// cohort stays where it is; subjects that are not for training are registered to the final mean.
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
