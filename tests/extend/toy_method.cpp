// E = sim mean_i L(I_i o Phi_{0,1}^i, A): a toy for a test.
#include "aladdin/method/method.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

Terms energy_of(const EnergyInput& in) {
  const auto& [config, dissimilarity, atlas, batch, fields, spacing_mm, scale] = in;
  Terms terms;
  const at::Tensor moved = ops::warp(batch.images, fields.to_subject);
  terms.add(config.sim, dissimilarity(moved, atlas.expand(moved.sizes())), terms.sim);
  return terms;
}

const RegisteredMethod kToy({.about = described(EnergyKind::toy), .energy = energy_of});

}  // namespace
}  // namespace aladdin
