#include "aladdin/method/energy.h"

#include "aladdin/method/dalca.h"
#include "aladdin/method/he.h"
#include "aladdin/method/published_energy.h"
#include "aladdin/method/voxelmorph.h"
#include "aladdin/ops/jacobian.h"
#include "aladdin/ops/warp.h"

namespace aladdin {

Energy::Energy(const LossConfig& config)
    : config_(config), similarity_(config), regularity_(config) {}

bool Energy::can_be_shared() const {
  return config_.energy == "aladdin" && !config_.published && config_.supervise == 0 &&
         config_.cycle == 0;
}

Terms Energy::operator()(const at::Tensor& atlas, const Batch& batch, const Fields& fields,
                         const std::array<double, 3>& spacing_mm, int velocity_scale) const {
  if (config_.published) return published_energy(config_, atlas, batch, fields);
  if (config_.energy == "voxelmorph")
    return voxelmorph_energy(config_, similarity_, atlas, batch, fields, spacing_mm);
  if (config_.energy == "he")
    return he_energy(config_, similarity_, atlas, batch, fields, spacing_mm);
  if (config_.energy == "dalca")
    return dalca_energy(config_, similarity_, atlas, batch, fields, spacing_mm);
  return aladdin(atlas, batch, fields, spacing_mm, velocity_scale);
}

Terms Energy::aladdin(const at::Tensor& atlas, const Batch& batch, const Fields& fields,
                      const std::array<double, 3>& spacing_mm, int velocity_scale) const {
  Terms terms;
  std::array<double, 3> coarse = spacing_mm;
  for (double& s : coarse) s *= velocity_scale;
  const at::Tensor images = batch.own(batch.images);
  const double part = double(images.size(0)) / double(batch.images.size(0));
  const at::Tensor seen = ops::warp(atlas.expand(images.sizes()), fields.to_atlas);
  terms.add(config_.sim, similarity_(seen, images, batch.own(batch.masks)) * part, terms.sim);
  terms.add(config_.lambda, regularity_(fields.velocity, fields.to_atlas_coarse, coarse) * part,
            terms.reg);
  if (config_.volume > 0)
    terms.add(config_.volume * part,
              ops::jacobian_determinant(fields.to_atlas_coarse).clamp_min(0.01).log().square().mean());
  add_pairs(config_, similarity_, batch, fields, terms);
  return terms;
}

}  // namespace aladdin
