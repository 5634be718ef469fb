#include "aladdin/method/he.h"

#include "aladdin/loss/regularity.h"
#include "aladdin/ops/warp.h"

namespace aladdin {

Terms he_energy(const LossConfig& config, const Similarity& similarity, const at::Tensor& atlas,
                const Batch& batch, const Fields& fields, const std::array<double, 3>& spacing_mm) {
  const at::Tensor moved = ops::warp(batch.images, fields.to_subject);
  const int64_t n = moved.size(0);
  Terms terms;
  terms.add(config.sim, similarity(moved, atlas.expand(moved.sizes())), terms.sim);
  if (n > 1) {
    std::vector<at::Tensor> first, second;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = i + 1; j < n; ++j) {
        first.push_back(moved.narrow(0, i, 1));
        second.push_back(moved.narrow(0, j, 1));
      }
    terms.add(config.sim, similarity(at::cat(first), at::cat(second)), terms.atlas_pairs);
    terms.add(config.middle, mean_square_mm(fields.to_subject.mean(0, true), spacing_mm));
  }
  terms.add(config.lambda, gradient_energy(fields.to_subject, spacing_mm), terms.reg);
  if (fields.to_atlas.defined())
    terms.add(config.cycle,
              mean_square_mm(ops::compose(fields.to_atlas, fields.to_subject), spacing_mm));
  return terms;
}

}  // namespace aladdin
