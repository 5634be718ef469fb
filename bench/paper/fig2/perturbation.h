// The experiment of Fig. 2: a small part of Phi_i^-1 is moved by eps, and the atlas or another image,
// pulled to I_i by it, is looked at before and after.
#pragma once

#include "aladdin/core/rng.h"
#include "registered_cohort.h"

namespace aladdin::bench {

// Means over the voxels of the box that is perturbed, of images in 0 … 1.
struct Response {
  double residual = 0;  // |J - I_i| before, J = A o Phi_i^-1 or I_j o Phi_j o Phi_i^-1
  double change = 0;    // |J' - J|: what Fig. 2 shows
  double rise = 0;      // (J' - I_i)^2 - (J - I_i)^2: what the squared loss notices
};

struct Trial {
  std::size_t subject = 0, partner = 0;
  double shift_vox = 0;
  Response atlas, image;
};

// One box around a random labelled voxel of subject i, an eighth of the image along each axis to both
// sides; one direction; one partner j; every shift (in mean voxel edges) in turn. Within the box the
// shift fades to zero as cos^2.
std::vector<Trial> perturb(const RegisteredCohort& cohort, std::size_t subject,
                           const std::vector<double>& shifts_vox, Rng& rng);

}  // namespace aladdin::bench
