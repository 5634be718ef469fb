// A step that several processes take together: the same as one process would take of the same batch, to rounding.
//
// Every item of the batch is read and augmented by the process that has the subject, and told to all. Then each
// process runs the network on its part of the items, and computes their part of the energy, E = sum_r E_r, with the
// pairs whose target they are (energy.h). What couples the parts is only u_i = exp(v_i) - id of the other items:
//
//   gather u      all u_i, as constants            E_r(v_own, u_all)
//   dE/dv_own   = dE_r/dv_own + (du_own/dv_own)^T  sum_r dE_r/du_own
//   dE/dweights = sum_r (dv_own/dweights)^T dE/dv_own
//
// So u and its gradients travel once, on the velocity's grid, and the gradients of the weights once, while the
// network still goes backwards (team/gradient_sum.h). An energy that cannot be shared is computed whole by every
// process, of all velocities: then dE/dv_own needs no sum.
#include <torch/csrc/autograd/autograd.h>

#include <chrono>

#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"
#include "aladdin/core/rng.h"
#include "aladdin/method/pyramid.h"
#include "aladdin/train/augment.h"
#include "aladdin/train/trainer.h"

namespace aladdin {
namespace {

using torch::autograd::grad;
using torch::autograd::variable_list;

// Seconds since it was last asked.
class Watch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double out = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return out;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

at::Tensor or_zeros(const at::Tensor& tensor, const at::Tensor& like) {
  return tensor.defined() ? tensor.contiguous() : at::zeros_like(like);
}

at::Tensor rows(const at::Tensor& tensor, const Share& share) {
  return tensor.narrow(0, share.begin, share.end - share.begin);
}

// What a process knows of the energy and its derivatives before the network goes backwards.
struct Slope {
  Terms terms;               // of the share
  at::Tensor by_velocity;    // of the items of this process; undefined: it has none
  at::Tensor by_atlas;       // undefined: not asked for, or none
};

// The energy as a function of the velocities of the batch, and of the atlas if that is learned.
struct Problem {
  const Team& team;
  const Flow& flow;
  const Energy& energy;
  at::Tensor atlas;      // a leaf if it is learned
  const Batch& batch;    // on the grid of the stage; its share is that of this process
  std::array<double, 3> spacing_mm;

  int64_t items() const { return batch.images.size(0); }
  bool is_idle() const { return batch.share.end == batch.share.begin; }
  std::vector<int64_t> own_sizes() const {
    std::vector<int64_t> sizes = batch.images.sizes().vec();
    sizes[0] = batch.share.end - batch.share.begin;
    return sizes;
  }
  Terms terms(const Batch& of, const Fields& fields) const {
    return energy(atlas, of, fields, spacing_mm, flow.velocity_scale());
  }
  variable_list inputs(std::initializer_list<at::Tensor> leaves) const {
    variable_list out(leaves);
    if (atlas.requires_grad()) out.push_back(atlas);
    return out;
  }
};

Slope shared_slope(const Problem& p, const at::Tensor& velocity) {
  Slope out;
  const at::Tensor leaf = velocity.detach().requires_grad_(true);
  Fields fields;
  if (!p.is_idle()) fields = p.flow(leaf, p.own_sizes());
  const at::Tensor own = p.is_idle() ? velocity.detach() : fields.to_subject_coarse;
  const at::Tensor all =
      p.team.gather_rows(own.detach().contiguous(), p.items()).requires_grad_(true);
  at::Tensor by_all = at::zeros_like(all);
  if (!p.is_idle()) {
    fields.to_subject_coarse = all;
    fields.to_subject = p.flow.expanded(all, p.batch.images.sizes());
    out.terms = p.terms(p.batch, fields);
    const auto found =
        grad({out.terms.energy}, p.inputs({leaf, all}), {}, {}, false, /*allow_unused=*/true);
    out.by_velocity = or_zeros(found[0], leaf);
    by_all = or_zeros(found[1], all);
    if (found.size() > 2) out.by_atlas = found[2];
  }
  p.team.sum(by_all);
  if (!p.is_idle())
    out.by_velocity = out.by_velocity + grad({own}, {leaf}, {rows(by_all, p.batch.share)})[0];
  return out;
}

Slope whole_slope(const Problem& p, const at::Tensor& velocity) {
  const at::Tensor all =
      p.team.gather_rows(velocity.detach().contiguous(), p.items()).requires_grad_(true);
  Batch whole = p.batch;
  whole.share = {};
  Slope out;
  out.terms = p.terms(whole, p.flow(all, whole.images.sizes()));
  const auto found = grad({out.terms.energy}, p.inputs({all}));
  if (!p.is_idle()) out.by_velocity = rows(found[0], p.batch.share);
  // All have found the same: it counts once.
  if (!p.team.leads()) out.terms = {};
  if (p.team.leads() && found.size() > 1) out.by_atlas = found[1];
  return out;
}

}  // namespace

Batch Trainer::exchanged_batch(const std::vector<std::size_t>& subjects) const {
  const Dataset& dataset = data_.dataset();
  bool labels = config_.loss.supervise > 0, masks = false;
  for (const std::size_t subject : subjects) {
    labels = labels && dataset.has_labels(subject);
    masks = masks || data_.has_mask(subject);
  }
  std::vector<int64_t> sizes = data_.image_shape();
  sizes[0] = static_cast<int64_t>(subjects.size());
  const auto options = at::TensorOptions(at::kFloat).device(data_.device());
  Batch out;
  out.images = at::empty(sizes, options);
  if (masks) out.masks = at::empty(sizes, options);
  sizes[1] = static_cast<int64_t>(dataset.label_table().size()) - 1;
  if (labels) out.labels = at::empty(sizes, options);

  std::vector<int> owner;
  constexpr std::uint64_t kAugmentStream = 2ULL << 40;
  for (std::size_t k = 0; k < subjects.size(); ++k) {
    owner.push_back(data_.owner(subjects[k]));
    if (owner.back() != data_.team().rank()) continue;
    Rng rng(config_.train.seed, kAugmentStream + static_cast<std::uint64_t>(state_.position.steps));
    Batch one = data_.batch({subjects[k]}, labels);
    if (masks && !one.masks.defined()) one.masks = at::ones_like(one.images);
    one = augment(one, data_.spacing(), {.strength = config_.train.augment}, rng, k);
    const auto at = static_cast<int64_t>(k);
    out.images.narrow(0, at, 1).copy_(one.images);
    if (masks) out.masks.narrow(0, at, 1).copy_(one.masks);
    if (labels) out.labels.narrow(0, at, 1).copy_(one.labels);
  }
  for (const at::Tensor& all : {out.images, out.masks, out.labels})
    if (all.defined()) data_.team().exchange(all, owner);
  return out;
}

void Trainer::step_together(const std::vector<std::size_t>& subjects, double rate) {
  const Team& team = data_.team();
  const int coarse = stage();
  Watch watch;
  Batch batch = exchanged_batch(subjects);
  const double images_s = watch.lap();

  const auto [begin, end] = team.part(batch.images.size(0));
  batch.share = {begin, end};
  const std::vector<std::size_t> own(subjects.begin() + begin, subjects.begin() + end);
  const bool learned = state_.atlas_gradient.defined();
  const at::Tensor atlas = learned ? state_.atlas.detach().requires_grad_(true) : state_.atlas;
  std::vector<at::Tensor> leaves = state_.learner->leaves(own);
  gradient_sum_->begin(leaves);
  const at::Tensor images = batch.images;
  batch.images = reduce(images, coarse);
  if (batch.labels.defined()) batch.labels = reduce(batch.labels, coarse);
  if (batch.masks.defined()) batch.masks = reduce(batch.masks, coarse);
  std::vector<int64_t> none = flow_.velocity_sizes(batch.images.sizes());
  none[0] = 0;
  const at::Tensor velocity = own.empty()
                                  ? at::zeros(none, images.options())
                                  : state_.learner->velocity(atlas, rows(images, batch.share), own,
                                                             coarse);
  std::array<double, 3> spacing = data_.spacing();
  for (double& s : spacing) s *= coarse;
  const at::Tensor seen = reduce(atlas.detach(), coarse).requires_grad_(learned);
  const Problem problem{team, flow_, energy_, seen, batch, spacing};
  const double forward_s = watch.lap();
  const Slope slope =
      energy_.can_be_shared() ? shared_slope(problem, velocity) : whole_slope(problem, velocity);
  const double energy_s = watch.lap();

  if (learned) leaves.push_back(atlas);
  std::vector<at::Tensor> grads;
  if (own.empty()) {
    for (const at::Tensor& leaf : leaves) grads.push_back(at::zeros_like(leaf));
  } else {
    grads = grad({velocity}, leaves, {slope.by_velocity}, {}, false, /*allow_unused=*/true);
    for (std::size_t k = 0; k < grads.size(); ++k) grads[k] = or_zeros(grads[k], leaves[k]);
  }
  const double backward_s = watch.lap();
  at::Tensor by_atlas;
  if (learned) {
    by_atlas = grads.back();
    grads.pop_back();
    if (slope.by_atlas.defined())
      by_atlas = by_atlas + grad({reduce(atlas, coarse)}, {atlas}, {slope.by_atlas})[0];
  }
  grads = gradient_sum_->finish(grads);
  const double gradients_s = watch.lap();
  if (learned) {
    by_atlas = by_atlas.contiguous();
    team.sum(by_atlas);
    grads.push_back(by_atlas);
  }

  const Terms& t = slope.terms;
  const double own_energy = t.energy.defined() ? t.energy.item<double>() : 0;
  const double clock = before_ + std::chrono::duration<double>(
                                     std::chrono::steady_clock::now().time_since_epoch())
                                     .count() -
                       started_;
  Terms terms;
  double value = 0;
  agreed_signal_ = 0;
  const auto all =
      team.gather(std::vector<double>{own_energy, t.sim, t.reg, t.atlas_pairs, t.image_pairs,
                                      t.dice, double(stop_requested()), clock});
  for (const auto& one : all) {
    value += one[0];
    terms.sim += one[1];
    terms.reg += one[2];
    terms.atlas_pairs += one[3];
    terms.image_pairs += one[4];
    terms.dice += one[5];
    if (agreed_signal_ == 0) agreed_signal_ = static_cast<int>(one[6]);
  }
  agreed_seconds_ = all[0][7];
  log::detail(
      "process {}: images {:.4f} s, forward {:.4f}, energy {:.4f}, backward {:.4f}, "
      "gradients {:.4f}, waiting {:.4f}",
      team.rank() + 1, images_s, forward_s, energy_s, backward_s, gradients_s, watch.lap());
  descend(subjects, std::move(grads), terms, value, rate);
}

}  // namespace aladdin
