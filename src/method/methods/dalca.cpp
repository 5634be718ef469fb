// Dalca et al., "Learning conditional deformable templates with convolutional networks" (NeurIPS 2019),
// rows H and I, unconditional: a template learned with the network, and velocities with priors of
// their own. With u_i the displacement of Phi_{1,0} = exp(-v_i), and sim = 1 / (2 sigma^2),
//
//   E = sim mean_i L(A o Phi_{1,0}^i, I_i)
//     + magnitude / 2 mean_i |u_i|^2         deformation magnitude, lambda_d
//     + lambda / 2 mean_i R(u_i)             smoothness, lambda_a; R as in voxelmorph.cpp
//     + middle mean_x |mean_i u_i|^2         mean displacement, gamma
//     + the paper's pairs, gamma1 and gamma2 (terms.h)
//
// Deviation: the mean displacement is that of the batch; theirs is of the last 100 steps.
#include "aladdin/loss/regularity.h"
#include "aladdin/method/method.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

Terms energy_of(const EnergyInput& in) {
  const auto& [config, dissimilarity, atlas, batch, fields, spacing_mm, scale] = in;
  const at::Tensor& u = fields.to_atlas;
  Terms terms;
  terms.add(
      config.sim,
      dissimilarity(ops::warp(atlas.expand(batch.images.sizes()), u), batch.images, batch.masks),
      terms.sim);
  terms.add(0.5 * config.lambda, gradient_energy(u, spacing_mm), terms.reg);
  if (config.magnitude > 0) terms.add(0.5 * config.magnitude, mean_square_mm(u, spacing_mm));
  if (config.middle > 0) terms.add(config.middle, mean_square_mm(u.mean(0, true), spacing_mm));
  add_pairs(config, dissimilarity, batch, fields, terms);
  return terms;
}

const RegisteredMethod kDalca({.about = described(EnergyKind::dalca), .energy = energy_of});

}  // namespace
}  // namespace aladdin
