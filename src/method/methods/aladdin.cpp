// The energy of the paper (Eq. 6), per image, so that it means the same for every batch:
//
//   E = mean_i [ sim L_sim(A o Phi_{1,0}^i, I_i) + lambda L_reg(Phi_{1,0}^i) + volume mean_x (log |D Phi_{1,0}^i|)^2 ]
//     + gamma1 mean_{i<j} L_sim(I_i o Phi_{0,1}^i, I_j o Phi_{0,1}^j) / 2
//     + gamma2 mean_{i != j} L_sim(I_i o Phi_{0,1}^i o Phi_{1,0}^j, I_j)
//     + supervise (mean_{i != j} Dice loss of the labels, moved as the images are in the pairs)
//
// The term of volumes is not in the paper (optimise/energy.h); determinants below 0.01 count as that.
//
// That is half of the bracket in Eq. 6, averaged over the pairs of the batch. A batch of one has no
// pairs. Masks count in image space: outside a subject's mask nothing is compared with it.
//
// With loss.published it is that of the published code (method/published_energy.h).
#include "aladdin/loss/regularity.h"
#include "aladdin/method/method.h"
#include "aladdin/method/published_energy.h"
#include "aladdin/ops/jacobian.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

Terms energy_of(const EnergyInput& in) {
  const auto& [config, dissimilarity, atlas, batch, fields, spacing_mm, scale] = in;
  if (config.published) return published_energy(config, atlas, batch, fields);
  Terms terms;
  std::array<double, 3> coarse = spacing_mm;
  for (double& s : coarse) s *= scale;
  const at::Tensor images = batch.own(batch.images);
  const double part = double(images.size(0)) / double(batch.images.size(0));
  const at::Tensor seen = ops::warp(atlas.expand(images.sizes()), fields.to_atlas);
  terms.add(config.sim, dissimilarity(seen, images, batch.own(batch.masks)) * part, terms.sim);
  terms.add(config.lambda,
            Regularity(config)(fields.velocity, fields.to_atlas_coarse, coarse) * part, terms.reg);
  if (config.volume > 0) {
    const at::Tensor det = ops::jacobian_determinant(fields.to_atlas_coarse).clamp_min(0.01);
    terms.add(config.volume * part, det.log().square().mean());
  }
  add_pairs(config, dissimilarity, batch, fields, terms);
  return terms;
}

const RegisteredMethod kAladdin({.about = described(EnergyKind::aladdin),
                                 .energy = energy_of,
                                 .adds_up = true});

}  // namespace
}  // namespace aladdin
