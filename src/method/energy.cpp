#include "aladdin/method/energy.h"

namespace aladdin {

Energy::Energy(const LossConfig& config)
    : method_(registered(described(config.energy))), config_(config), dissimilarity_(config) {}

bool Energy::can_be_shared() const {
  return method_.adds_up && !config_.published && config_.supervise == 0 && config_.cycle == 0;
}

Terms Energy::operator()(const at::Tensor& atlas, const Batch& batch, const Fields& fields,
                         const std::array<double, 3>& spacing_mm, int velocity_scale) const {
  return method_.energy(
      {config_, dissimilarity_, atlas, batch, fields, spacing_mm, velocity_scale});
}

}  // namespace aladdin
