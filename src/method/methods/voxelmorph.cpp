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
#include "aladdin/loss/regularity.h"
#include "aladdin/method/method.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

Terms energy_of(const EnergyInput& in) {
  const auto& [config, dissimilarity, atlas, batch, fields, spacing_mm, scale] = in;
  const bool backward = fields.to_subject.defined();
  const at::Tensor& u = backward ? fields.to_subject : fields.to_atlas;
  const at::Tensor fixed = atlas.expand(batch.images.sizes());
  Terms terms;
  if (backward)
    terms.add(config.sim, dissimilarity(ops::warp(batch.images, u), fixed), terms.sim);
  else
    terms.add(config.sim, dissimilarity(ops::warp(fixed, u), batch.images, batch.masks), terms.sim);
  terms.add(config.lambda, gradient_energy(u, spacing_mm), terms.reg);
  return terms;
}

const RegisteredMethod kVoxelmorph({.about = described(EnergyKind::voxelmorph),
                                    .energy = energy_of});

}  // namespace
}  // namespace aladdin
