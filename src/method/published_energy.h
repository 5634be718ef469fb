// The energy of a batch as the published code has it, quirks and all (loss.published):
//
//   E = sim S + lambda R + gamma1 P_A + gamma2 P_I
//
//   S    = L(A o Phi_{1,0}^i, I_i)                              over the n items of the batch
//   P_A  = L(I_i o Phi_{0,1}^i, I_j o Phi_{0,1}^j)              over n/2 items: i of its first half, j = i + n/2
//   P_I  = L(I_i o Phi_{0,1}^i o Phi_{1,0}^j, I_j)              over n items: j = n - 1 - i, the flipped batch
//   L    = mean over items and voxels of the squared difference, divided once more by the number of items (mse)
//        = mean over items of the dissimilarity (ncc, lncc, mi)
//   R    = 1/d^2 mean over items, components c and interior voxels of
//            (size_c / smallest size)^2 sum_{i,j} (D_ij u_c)^2
//
// u is the displacement of Phi_{1,0} in [-1, 1] grid units (align_corners), whatever the spacing; D_ii is as in
// kernels/bending.h and D_ij = u(x+i+j) - u(x+i-j) - u(x-i+j) + u(x-i-j) lacks its 1/4; mixed terms count
// twice. d = 2 or 3; the published code is 3-D. An axis with fewer than three voxels takes no part.
//
// Against the pair in the brackets of the paper's energy (Sec. 3.2), at n = 2 with mse:
//   S = (s_1 + s_2) / 4,   R = (r_1 + r_2) / 2,   P_A = p_12,   P_I = (q_12 + q_21) / 4.
// So where the similarity weighs 1, the regularity weighs 2, the atlas pair 4 and the image pair 1.
//
// Deviations: the published NCC has no epsilon (NaN on a constant image); its LNCC has windows of a quarter or
// half of the volume, here it is loss.window. A batch of one has no pairs; any other odd batch is refused: the
// published code breaks there. Labels do not count.
#pragma once

#include "aladdin/method/terms.h"

namespace aladdin {

// R of a displacement in voxels, (n, dims, …).
at::Tensor published_bending_energy(const at::Tensor& to_atlas);

Terms published_energy(const LossConfig& config, const at::Tensor& atlas, const Batch& batch,
                       const Fields& fields);

}  // namespace aladdin
