#include "aladdin/method/voxelmorph.h"

#include "aladdin/loss/regularity.h"
#include "aladdin/ops/warp.h"

namespace aladdin {

Terms voxelmorph_energy(const LossConfig& config, const Similarity& similarity,
                        const at::Tensor& atlas, const Batch& batch, const Fields& fields,
                        const std::array<double, 3>& spacing_mm) {
  const bool backward = fields.to_subject.defined();
  const at::Tensor& u = backward ? fields.to_subject : fields.to_atlas;
  const at::Tensor fixed = atlas.expand(batch.images.sizes());
  Terms terms;
  if (backward)
    terms.add(config.sim, similarity(ops::warp(batch.images, u), fixed), terms.sim);
  else
    terms.add(config.sim, similarity(ops::warp(fixed, u), batch.images, batch.masks), terms.sim);
  terms.add(config.lambda, gradient_energy(u, spacing_mm), terms.reg);
  return terms;
}

}  // namespace aladdin
