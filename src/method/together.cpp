// A step that several processes take together: the same as one process would take of the same batch, to rounding.
//
// Every item of the batch is read and augmented by the process that owns the subject, and sent to all. Then each
// process runs the network on its part of the items and computes their part of the energy, E = sum_r E_r, with the
// pairs whose target they are (energy.h). What couples the parts is only u_i = exp(v_i) - id of the other items:
//
//   gather       all u_i, as constants           E_r(own fields, u)
//   dE/du_i    = sum_r dE_r/du_i                 on the velocity's grid
//   dE/dweights = sum_r of what own fields and own u_i give by their derivatives
//
// So u and its gradient travel once, and the gradients of the weights once, while the network still goes backwards
// (team/gradient_sum.h). If an energy cannot be shared, every process computes all of it from the fields of all, and only
// the fields travel.
#include <torch/csrc/autograd/autograd.h>

#include <chrono>
#include <cmath>

#include "aladdin/core/log.h"
#include "aladdin/method/augment.h"
#include "aladdin/method/gradient_learner.h"
#include "aladdin/method/pyramid.h"

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

// Some fields of the items of this process, as functions of the weights, and what the energy makes of them.
struct Ends {
  variable_list own, leaves;          // a leaf has the rows of this process, or of all
  std::vector<at::Tensor> by_leaf{};  // undefined: the energy does not depend on it

  at::Tensor add(const at::Tensor& field, const at::Tensor& values) {
    if (!field.defined()) return field;
    own.push_back(field);
    leaves.push_back(values.detach().requires_grad_(true));
    return leaves.back();
  }
};

// The energy of this process, and its slope by its own fields and by the atlas.
struct Slope {
  Terms terms;
  Ends ends;
  at::Tensor by_atlas;
};

void differentiate(const at::Tensor& atlas, Slope& slope) {
  variable_list inputs = slope.ends.leaves;
  if (atlas.requires_grad()) inputs.push_back(atlas);
  slope.ends.by_leaf = grad({slope.terms.energy}, inputs, {}, {}, false, /*allow_unused=*/true);
  if (!atlas.requires_grad()) return;
  slope.by_atlas = slope.ends.by_leaf.back();
  slope.ends.by_leaf.pop_back();
}

// The energy of a step on the grid of its stage. `batch` has the items of all processes.
struct Problem {
  const Team& team;
  const Flow& flow;
  const Energy& energy;
  const Config& config;
  at::Tensor atlas;
  Batch batch;  // its share: the items of this process
  std::array<double, 3> spacing;

  bool is_idle() const {
    return batch.share.begin == batch.share.end;
  }  // the last batch of an epoch may be small
  std::vector<int64_t> coarse() const { return flow.velocity_sizes(batch.images.sizes()); }
  Terms energy_of(const Batch& of, const Fields& f) const {
    return energy(atlas, of, f, spacing, config.network.velocity_scale);
  }
  // The rows of all processes; one without items gives none.
  at::Tensor gathered(const at::Tensor& field, std::vector<int64_t> sizes) const {
    sizes[0] = 0;
    return team.gather_rows(
        field.defined() ? field.detach().contiguous() : at::empty(sizes, atlas.options()),
        batch.images.size(0));
  }
};

// Each process computes its part of the energy; u and the slope by u travel.
Slope shared_slope(const Problem& problem, const Fields& found) {
  Slope slope;
  const at::Tensor all = problem.gathered(found.to_subject_coarse, problem.coarse());
  at::Tensor by_all = at::zeros_like(all);
  if (!problem.is_idle()) {
    Fields f;
    f.velocity = slope.ends.add(found.velocity, found.velocity);
    f.to_atlas_coarse = slope.ends.add(found.to_atlas_coarse, found.to_atlas_coarse);
    f.to_atlas = slope.ends.add(found.to_atlas, found.to_atlas);
    f.to_subject_coarse = slope.ends.add(found.to_subject_coarse, all);
    f.to_subject = problem.flow.expanded(f.to_subject_coarse, problem.batch.images.sizes());
    slope.terms = problem.energy_of(problem.batch, f);
    differentiate(problem.atlas, slope);
    if (slope.ends.by_leaf.back().defined()) by_all = slope.ends.by_leaf.back().contiguous();
  }
  problem.team.sum(by_all);
  if (!problem.is_idle()) slope.ends.by_leaf.back() = problem.batch.own(by_all);
  return slope;
}

// Each process computes the whole energy from the fields of all.
Slope whole_slope(const Problem& problem, const Fields& found) {
  const Config& config = problem.config;
  Slope slope;
  Batch whole = problem.batch;
  whole.share = {};
  const std::vector<int64_t> coarse = problem.coarse();
  std::vector<int64_t> fine = whole.images.sizes().vec();
  fine[1] = coarse[1];
  // Which fields there are is the same for all, whoever has items.
  const bool to_subject = config.network.flow != FlowKind::atlas;
  const bool to_atlas = config.network.flow != FlowKind::image || config.loss.cycle > 0;
  const bool to_atlas_coarse = config.network.flow != FlowKind::image;
  const auto add = [&](const at::Tensor& field, const std::vector<int64_t>& sizes, bool there) {
    if (!there) return at::Tensor();
    const at::Tensor all = problem.gathered(field, sizes).requires_grad_(true);
    slope.ends.own.push_back(field);
    slope.ends.leaves.push_back(all);
    return all;
  };
  Fields f;
  f.velocity = add(found.velocity, coarse, true);
  f.to_subject_coarse = add(found.to_subject_coarse, coarse, to_subject);
  f.to_subject = add(found.to_subject, fine, to_subject);
  f.to_atlas_coarse = add(found.to_atlas_coarse, coarse, to_atlas_coarse);
  f.to_atlas = add(found.to_atlas, fine, to_atlas);
  slope.terms = problem.energy_of(whole, f);
  differentiate(problem.atlas, slope);
  for (at::Tensor& by : slope.ends.by_leaf)
    if (by.defined()) by = problem.batch.own(by);
  // All have found the same: it counts once.
  if (!problem.team.leads()) {
    slope.terms = {};
    slope.by_atlas = at::Tensor();
  }
  return slope;
}

// Back through the network and the maps of this process; zero where nothing depends on a leaf.
std::vector<at::Tensor> gradients(const Slope& slope, const std::vector<at::Tensor>& by,
                                  bool idle) {
  std::vector<at::Tensor> grads(by.size());
  if (!idle) {
    variable_list ends, by_ends;
    for (std::size_t k = 0; k < slope.ends.own.size(); ++k) {
      if (!slope.ends.by_leaf[k].defined()) continue;
      ends.push_back(slope.ends.own[k]);
      by_ends.push_back(slope.ends.by_leaf[k]);
    }
    grads = grad(ends, by, by_ends, {}, false, /*allow_unused=*/true);
  }
  for (std::size_t k = 0; k < grads.size(); ++k)
    if (!grads[k].defined()) grads[k] = at::zeros_like(by[k]);
  return grads;
}

Terms summed(const Terms& t, const Team& team) {
  Terms out;
  double energy = 0;
  for (const auto& one :
       team.gather(std::vector<double>{t.energy.defined() ? t.energy.item<double>() : 0, t.sim,
                                       t.reg, t.atlas_pairs, t.image_pairs, t.dice})) {
    energy += one[0];
    out.sim += one[1];
    out.reg += one[2];
    out.atlas_pairs += one[3];
    out.image_pairs += one[4];
    out.dice += one[5];
  }
  out.energy = at::scalar_tensor(energy, at::kDouble);
  return out;
}

}  // namespace

Batch GradientLearner::exchanged_batch(const Step& step) const {
  const Dataset& dataset = data_.dataset();
  bool labels = config_.loss.supervise > 0, masks = false;
  for (const std::size_t subject : step.subjects) {
    labels = labels && dataset.has_labels(subject);
    masks = masks || data_.has_mask(subject);
  }
  std::vector<int64_t> sizes = data_.image_shape();
  sizes[0] = static_cast<int64_t>(step.subjects.size());
  const auto options = at::TensorOptions(at::kFloat).device(data_.device());
  Batch out;
  out.images = at::empty(sizes, options);
  if (masks) out.masks = at::empty(sizes, options);
  sizes[1] = static_cast<int64_t>(dataset.label_table().size()) - 1;
  if (labels) out.labels = at::empty(sizes, options);

  std::vector<int> owner;
  for (std::size_t k = 0; k < step.subjects.size(); ++k) {
    const std::size_t subject = step.subjects[k];
    owner.push_back(data_.owner(subject));
    if (owner.back() != data_.team().rank()) continue;
    Rng rng = random_numbers(step);
    Batch one = data_.batch({subject}, labels);
    if (masks && !one.masks.defined()) one.masks = at::ones_like(one.images);
    one = augment(one, data_.spacing(), {.strength = augmentation(step)}, rng, k);
    const auto at = static_cast<int64_t>(k);
    out.images.narrow(0, at, 1).copy_(one.images);
    if (masks) out.masks.narrow(0, at, 1).copy_(one.masks);
    if (labels) out.labels.narrow(0, at, 1).copy_(one.labels);
  }
  for (const at::Tensor& all : {out.images, out.masks, out.labels})
    if (all.defined()) data_.team().exchange(all, owner);
  out.taught = taught(step);
  return out;
}

StepResult GradientLearner::learn_together(const at::Tensor& fixed, bool with_atlas_gradient,
                                           const Step& step) {
  const Team& team = data_.team();
  Watch watch;
  Batch batch = exchanged_batch(step);
  const double images_s = watch.lap();

  const auto [begin, end] = team.part(batch.images.size(0));
  batch.share = {begin, end};
  Step own = step;
  own.subjects.assign(step.subjects.begin() + begin, step.subjects.begin() + end);
  const bool idle = own.subjects.empty();
  const at::Tensor atlas = with_atlas_gradient ? fixed.detach().requires_grad_(true) : fixed;
  std::vector<at::Tensor> weights = leaves(own.subjects);
  gradient_sum_->begin(weights);
  Fields found;
  if (!idle) found = fields(atlas, batch.own(batch.images), own);
  const double forward_s = watch.lap();

  const at::Tensor seen = reduce(atlas.detach(), step.stage).requires_grad_(with_atlas_gradient);
  const Problem problem{
      team, flow_, energy_, config_, seen, reduced(batch, step.stage), spacing_at(step.stage)};
  const Slope slope = energy_.can_be_shared() && flow_.is_velocity() ? shared_slope(problem, found)
                                                                     : whole_slope(problem, found);
  const double energy_s = watch.lap();

  if (with_atlas_gradient) weights.push_back(atlas);
  std::vector<at::Tensor> grads = gradients(slope, weights, idle);
  const double backward_s = watch.lap();
  StepResult out;
  if (with_atlas_gradient) {
    out.atlas_gradient = grads.back();
    grads.pop_back();
    if (slope.by_atlas.defined())
      out.atlas_gradient =
          out.atlas_gradient + grad({reduce(atlas, step.stage)}, {atlas}, {slope.by_atlas})[0];
    out.atlas_gradient = out.atlas_gradient.detach().contiguous();
  }
  grads = gradient_sum_->finish(grads);
  const double gradients_s = watch.lap();
  if (with_atlas_gradient) team.sum(out.atlas_gradient);
  out.terms = summed(slope.terms, team);
  log::detail(
      "process {}: images {:.4f} s, forward {:.4f}, energy {:.4f}, backward {:.4f}, "
      "gradients {:.4f}, waiting {:.4f}",
      team.rank() + 1, images_s, forward_s, energy_s, backward_s, gradients_s, watch.lap());
  out.finite = std::isfinite(out.terms.energy.item<double>()) &&
               (!with_atlas_gradient || at::isfinite(out.atlas_gradient).all().item<bool>());
  out.norm = descend(step.subjects, grads, step.rate);
  out.finite = out.finite && std::isfinite(out.norm);
  return out;
}

}  // namespace aladdin
