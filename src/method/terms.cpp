#include "aladdin/method/terms.h"

#include <algorithm>

#include "aladdin/loss/dice.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

at::Tensor rows(const at::Tensor& tensor, const std::vector<int64_t>& which) {
  if (!tensor.defined()) return tensor;
  bool all = static_cast<int64_t>(which.size()) == tensor.size(0);
  for (std::size_t i = 0; all && i < which.size(); ++i) all = which[i] == static_cast<int64_t>(i);
  return all ? tensor : tensor.index_select(0, at::tensor(which, at::kLong).to(tensor.device()));
}

// Item k of the batches of pairs is the pair (first[k], second[k]); `own` is the second's place in the share.
struct Pairs {
  std::vector<int64_t> first, second, own;
  double part = 1;  // that they are of all pairs of the batch

  Pairs(const Batch& batch, bool ordered) {
    const int64_t n = batch.images.size(0);
    const int64_t begin = batch.share.begin, end = batch.share.is_whole() ? n : batch.share.end;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = ordered ? begin : std::max(i + 1, begin); j < end; ++j)
        if (i != j) {
          first.push_back(i);
          second.push_back(j);
          own.push_back(j - begin);
        }
    part = double(first.size()) / double(n * (n - 1) / (ordered ? 1 : 2));
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

void add_pairs(const LossConfig& config, const Dissimilarity& dissimilarity, const Batch& batch,
               const Fields& fields, Terms& terms) {
  const at::Tensor& images = batch.images;
  const int64_t n = images.size(0);
  if (n < 2) return;
  if (config.gamma1 > 0) {
    const at::Tensor moved = ops::warp(images, fields.to_subject);
    const Pairs pairs(batch, /*ordered=*/false);
    if (!pairs.first.empty())
      terms.add(0.5 * config.gamma1,
                dissimilarity(rows(moved, pairs.first), rows(moved, pairs.second)) * pairs.part,
                terms.atlas_pairs);
  }
  const bool supervised = config.supervise > 0 && batch.labels.defined();
  if (!(config.gamma2 > 0) && !supervised) return;
  const Pairs pairs(batch, /*ordered=*/true);
  const std::vector<int64_t>&from = pairs.first, &to = pairs.second;
  const at::Tensor through =
      ops::compose(rows(fields.to_subject, from), rows(fields.to_atlas, pairs.own));
  if (config.gamma2 > 0)
    terms.add(config.gamma2,
              dissimilarity(ops::warp(rows(images, from), through), rows(images, to),
                            rows(batch.masks, to)) *
                  pairs.part,
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
