#include "aladdin/method/dalca.h"

#include "aladdin/loss/regularity.h"
#include "aladdin/ops/warp.h"

namespace aladdin {

Terms dalca_energy(const LossConfig& config, const Similarity& similarity, const at::Tensor& atlas,
                   const Batch& batch, const Fields& fields,
                   const std::array<double, 3>& spacing_mm) {
  const at::Tensor& u = fields.to_atlas;
  Terms terms;
  terms.add(config.sim,
            similarity(ops::warp(atlas.expand(batch.images.sizes()), u), batch.images, batch.masks),
            terms.sim);
  terms.add(0.5 * config.lambda, gradient_energy(u, spacing_mm), terms.reg);
  if (config.magnitude > 0) terms.add(0.5 * config.magnitude, mean_square_mm(u, spacing_mm));
  if (config.middle > 0) terms.add(config.middle, mean_square_mm(u.mean(0, true), spacing_mm));
  add_pairs(config, similarity, batch, fields, terms);
  return terms;
}

}  // namespace aladdin
