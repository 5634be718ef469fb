// Dalca et al., "Learning conditional deformable templates with convolutional networks" (NeurIPS 2019),
// rows H and I, unconditional: a template learned with the network, and velocities with priors of
// their own. With u_i the displacement of Phi_{1,0} = exp(-v_i), and sim = 1 / (2 sigma^2),
//
//   E = sim mean_i L(A o Phi_{1,0}^i, I_i)
//     + magnitude / 2 mean_i |u_i|^2         deformation magnitude, lambda_d
//     + lambda / 2 mean_i R(u_i)             smoothness, lambda_a; R as in voxelmorph.h
//     + middle mean_x |mean_i u_i|^2         mean displacement, gamma
//     + the paper's pairs, gamma1 and gamma2 (terms.h)
//
// Deviation: the mean displacement is that of the batch; theirs is of the last 100 steps.
#pragma once

#include "aladdin/method/terms.h"

namespace aladdin {

Terms dalca_energy(const LossConfig& config, const Similarity& similarity, const at::Tensor& atlas,
                   const Batch& batch, const Fields& fields,
                   const std::array<double, 3>& spacing_mm);

}  // namespace aladdin
