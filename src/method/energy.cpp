#include "aladdin/method/energy.h"

#include <algorithm>

#include "aladdin/loss/dice.h"
#include "aladdin/ops/warp.h"
#include "aladdin/method/published_energy.h"

namespace aladdin {
namespace {

at::Tensor rows(const at::Tensor& tensor, const std::vector<int64_t>& which) {
  return tensor.defined() ? tensor.index_select(0, at::tensor(which, at::kLong).to(tensor.device()))
                          : at::Tensor();
}

}  // namespace

Energy::Energy(const LossConfig& config)
    : config_(config), similarity_(config), regularity_(config) {}

Terms Energy::operator()(const at::Tensor& atlas, const Batch& batch, const Fields& fields,
                         const std::array<double, 3>& spacing_mm, int velocity_scale) const {
  if (config_.published) return published_energy(config_, atlas, batch, fields);
  const at::Tensor& images = batch.images;
  const int64_t n = images.size(0);
  const int64_t begin = batch.share.begin, end = batch.share.is_whole() ? n : batch.share.end;
  const auto own = [&](const at::Tensor& all) {
    return all.defined() ? all.narrow(0, begin, end - begin) : all;
  };
  Terms terms;
  // A mean over `count` of `of` equal parts.
  const auto add = [&](double weight, const at::Tensor& term, double& value, std::size_t count,
                       std::size_t of) {
    const double part = double(count) / double(of);
    value = part * term.item<double>();
    const at::Tensor weighted = term * (part * weight);
    terms.energy = terms.energy.defined() ? terms.energy + weighted : weighted;
  };

  std::array<double, 3> coarse = spacing_mm;
  for (double& s : coarse) s *= velocity_scale;
  const at::Tensor targets = own(images);
  const at::Tensor seen = ops::warp(atlas.expand(targets.sizes()), fields.to_atlas);
  add(config_.sim, similarity_(seen, targets, own(batch.masks)), terms.sim, end - begin, n);
  add(config_.lambda, regularity_(fields.velocity, fields.to_atlas_coarse, coarse), terms.reg,
      end - begin, n);
  if (n < 2) return terms;

  if (config_.gamma1 > 0) {
    const at::Tensor moved = ops::warp(images, fields.to_subject);
    std::vector<int64_t> first, second;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = std::max(i + 1, begin); j < end; ++j) {
        first.push_back(i);
        second.push_back(j);
      }
    if (!first.empty())
      add(0.5 * config_.gamma1, similarity_(rows(moved, first), rows(moved, second)),
          terms.atlas_pairs, first.size(), n * (n - 1) / 2);
  }
  const bool supervised = config_.supervise > 0 && batch.labels.defined();
  if (config_.gamma2 > 0 || supervised) {
    // Item k of these batches is the pair (from[k], to[k]); `to` counts from the first of the share.
    std::vector<int64_t> from, to;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = begin; j < end; ++j)
        if (i != j) {
          from.push_back(i);
          to.push_back(j - begin);
        }
    const std::size_t pairs = n * (n - 1);
    const at::Tensor through =
        ops::compose(rows(fields.to_subject, from), rows(fields.to_atlas, to));
    if (config_.gamma2 > 0)
      add(config_.gamma2,
          similarity_(ops::warp(rows(images, from), through), rows(targets, to),
                      rows(own(batch.masks), to)),
          terms.image_pairs, from.size(), pairs);
    if (supervised)
      add(config_.supervise,
          soft_dice_loss(ops::warp(rows(batch.labels, from), through), rows(batch.labels, to)),
          terms.dice, from.size(), pairs);
  }
  return terms;
}

}  // namespace aladdin
