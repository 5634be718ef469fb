// VoxelMorph (Balakrishnan et al., IEEE TMI 2019) inside an atlas scheme, rows E and F of the paper's
// table: the network predicts a displacement u, no velocity.
//
//   backward (network.flow = image, atlas by Eq. 3)   E = sim L(I o (id + u), A) + lambda R(u)
//   forward  (network.flow = atlas, atlas by Eq. 4)   E = sim L(A o (id + u), I) + lambda R(u)
//
//   R(u) = mean_x sum_c |grad u_c|^2, the diffusion regulariser, forward differences.
//
// The paper's lambda (2,000 with affine alignment and 400 without) is for displacements in [-1, 1],
// differences of one voxel on 80 x 192 x 192 and 10 times the similarity: 0.05 and 0.01 of ours, which
// has no unit and means the same on every grid.
#pragma once

#include "aladdin/method/terms.h"

namespace aladdin {

Terms voxelmorph_energy(const LossConfig& config, const Similarity& similarity,
                        const at::Tensor& atlas, const Batch& batch, const Fields& fields,
                        const std::array<double, 3>& spacing_mm);

}  // namespace aladdin
