#include "aladdin/method/energy.h"

namespace aladdin {

Energy::Energy(const LossConfig& config, double teach)
    : method_(registered(described(config.energy))),
      config_(config),
      teach_(teach),
      dissimilarity_(config) {}

bool Energy::can_be_shared() const {
  return method_.adds_up && !config_.published && config_.supervise == 0 && config_.cycle == 0;
}

Terms Energy::operator()(const at::Tensor& atlas, const Batch& batch, const Fields& fields,
                         const std::array<double, 3>& spacing_mm, int velocity_scale) const {
  Terms terms =
      method_.energy({config_, dissimilarity_, atlas, batch, fields, spacing_mm, velocity_scale});
  if (batch.taught.defined()) {
    const at::Tensor taught = batch.own(batch.taught);
    const double part = double(taught.size(0)) / double(batch.images.size(0));
    terms.add(teach_ * part, (fields.velocity - taught).square().sum(1).mean());
  }
  return terms;
}

}  // namespace aladdin
