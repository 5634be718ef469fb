#include "aladdin/method/gradient_learner.h"

#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <cstdlib>

#include "aladdin/method/augment.h"
#include "aladdin/method/pyramid.h"

namespace aladdin {

GradientLearner::GradientLearner(const Config& config, const TrainingData& data)
    : config_(config),
      data_(data),
      flow_(config.network),
      energy_(config.loss, config.train.teach) {
  if (data.team().is_alone()) return;
  const char* overlap = std::getenv("ALADDIN_OVERLAP");  // to measure what it gains
  gradient_sum_.emplace(data.team(), !overlap || std::string(overlap) != "0");
}

std::vector<int64_t> GradientLearner::sizes_at(int stage, int64_t count) const {
  std::vector<int64_t> sizes = data_.image_shape();
  sizes[0] = count;
  for (std::size_t d = 2; d < sizes.size(); ++d) sizes[d] = (sizes[d] + stage - 1) / stage;
  return sizes;
}

Rng GradientLearner::random_numbers(const Step& step) const {
  constexpr std::uint64_t kAugmentStream = 2ULL << 40;
  return Rng(config_.train.seed, kAugmentStream + static_cast<std::uint64_t>(step.number));
}

void GradientLearner::be_taught(std::vector<at::Tensor> velocities) {
  taught_ = std::move(velocities);
  place_.assign(data_.dataset().size(), 0);
  for (std::size_t k = 0; k < data_.training().size(); ++k) place_[data_.training()[k]] = k;
}

at::Tensor GradientLearner::taught(const Step& step) const {
  if (!is_taught(step)) return {};
  std::vector<at::Tensor> rows;
  for (const std::size_t subject : step.subjects) rows.push_back(taught_[place_[subject]]);
  return reduce(at::cat(rows), step.stage) / double(step.stage);
}

Batch GradientLearner::reduced(Batch batch, int stage) {
  for (at::Tensor* one : {&batch.images, &batch.labels, &batch.masks})
    if (one->defined()) *one = reduce(*one, stage);
  return batch;
}

std::array<double, 3> GradientLearner::spacing_at(int stage) const {
  std::array<double, 3> spacing = data_.spacing();
  for (double& s : spacing) s *= stage;
  return spacing;
}

StepResult GradientLearner::learn(const at::Tensor& fixed, bool with_atlas_gradient,
                                  const Step& step) {
  if (!data_.team().is_alone()) return learn_together(fixed, with_atlas_gradient, step);
  Batch batch = data_.batch(step.subjects, config_.loss.supervise > 0);
  Rng rng = random_numbers(step);
  batch = augment(batch, data_.spacing(), {.strength = augmentation(step)}, rng);
  batch.taught = taught(step);

  const at::Tensor atlas = with_atlas_gradient ? fixed.detach().requires_grad_(true) : fixed;
  const Fields found = fields(atlas, batch.images, step);
  StepResult out;
  out.terms = energy_(reduce(atlas, step.stage), reduced(batch, step.stage), found,
                      spacing_at(step.stage), config_.network.velocity_scale);

  std::vector<at::Tensor> inputs = leaves(step.subjects);
  if (with_atlas_gradient) inputs.push_back(atlas);
  auto grads = torch::autograd::grad({out.terms.energy}, inputs);
  if (with_atlas_gradient) {
    out.atlas_gradient = grads.back();
    out.finite = at::isfinite(out.atlas_gradient).all().item<bool>();
    grads.pop_back();
  }
  out.norm = descend(step.subjects, grads, step.rate);
  out.terms.energy = out.terms.energy.detach();
  out.finite =
      out.finite && std::isfinite(out.norm) && std::isfinite(out.terms.energy.item<double>());
  return out;
}

}  // namespace aladdin
