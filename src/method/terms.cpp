#include "aladdin/method/terms.h"

#include "aladdin/loss/dice.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

at::Tensor rows(const at::Tensor& tensor, const std::vector<int64_t>& which) {
  return tensor.defined() ? tensor.index_select(0, at::tensor(which, at::kLong).to(tensor.device()))
                          : at::Tensor();
}

// Item k of the batches of pairs is the pair (first[k], second[k]).
struct Pairs {
  std::vector<int64_t> first, second;

  Pairs(int64_t n, bool ordered) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = ordered ? 0 : i + 1; j < n; ++j)
        if (i != j) {
          first.push_back(i);
          second.push_back(j);
        }
  }
};

}  // namespace

void Terms::add(double weight, const at::Tensor& term) {
  const at::Tensor weighted = term * weight;
  energy = energy.defined() ? energy + weighted : weighted;
}

void Terms::add(double weight, const at::Tensor& term, double& value) {
  value = term.item<double>();
  add(weight, term);
}

void add_pairs(const LossConfig& config, const Similarity& similarity, const Batch& batch,
               const Fields& fields, Terms& terms) {
  const at::Tensor& images = batch.images;
  const int64_t n = images.size(0);
  if (n < 2) return;
  if (config.gamma1 > 0) {
    const at::Tensor moved = ops::warp(images, fields.to_subject);
    const Pairs pairs(n, /*ordered=*/false);
    terms.add(0.5 * config.gamma1, similarity(rows(moved, pairs.first), rows(moved, pairs.second)),
              terms.atlas_pairs);
  }
  const bool supervised = config.supervise > 0 && batch.labels.defined();
  if (!(config.gamma2 > 0) && !supervised) return;
  const Pairs pairs(n, /*ordered=*/true);
  const std::vector<int64_t>&from = pairs.first, &to = pairs.second;
  const at::Tensor through = ops::compose(rows(fields.to_subject, from), rows(fields.to_atlas, to));
  if (config.gamma2 > 0)
    terms.add(
        config.gamma2,
        similarity(ops::warp(rows(images, from), through), rows(images, to), rows(batch.masks, to)),
        terms.image_pairs);
  if (supervised)
    terms.add(config.supervise,
              soft_dice_loss(ops::warp(rows(batch.labels, from), through), rows(batch.labels, to)),
              terms.dice);
}

at::Tensor mean_square_mm(const at::Tensor& u, const std::array<double, 3>& spacing_mm) {
  at::Tensor sum;
  for (int64_t c = 0; c < u.size(1); ++c) {
    const at::Tensor mean = u.select(1, c).square().mean() * (spacing_mm[c] * spacing_mm[c]);
    sum = sum.defined() ? sum + mean : mean;
  }
  return sum;
}

}  // namespace aladdin
