#include "aladdin/train/velocity_learner.h"

#include <cmath>
#include <sstream>

#include "aladdin/core/error.h"
#include "aladdin/train/pyramid.h"
#include "aladdin/train/smooth.h"

namespace aladdin {

VelocityLearner::VelocityLearner(const Config& config, const TrainingData& data)
    : config_(config),
      data_(data),
      flow_(config.network),
      instance_(config, data.spacing()),
      place_(data.dataset().size()) {
  for (std::size_t k = 0; k < data.training().size(); ++k) place_[data.training()[k]] = k;
}

VelocityLearner::Entry VelocityLearner::start(at::Tensor base) {
  const at::Tensor change = at::zeros_like(base).requires_grad_(true);
  return {std::move(base), change, Adam({change}, {.beta2 = 0.99})};
}

at::Tensor VelocityLearner::current(const Entry& entry) const {
  return entry.base + smooth(entry.change, config_.optimise.sigma);
}

at::Tensor VelocityLearner::velocity(const at::Tensor&, const at::Tensor&, const Subjects& subjects,
                                     int) const {
  std::vector<at::Tensor> all;
  for (const std::size_t subject : subjects) all.push_back(current(entry(subject)));
  return at::cat(all);
}

std::vector<at::Tensor> VelocityLearner::leaves(const Subjects& subjects) const {
  std::vector<at::Tensor> out;
  for (const std::size_t subject : subjects) out.push_back(entry(subject).change);
  return out;
}

double VelocityLearner::step(const Subjects& subjects, const std::vector<at::Tensor>& grads,
                             double rate) {
  double squares = 0;
  for (const at::Tensor& grad : grads) squares += grad.square().sum().item<double>();
  if (!std::isfinite(squares)) return std::sqrt(squares);
  for (std::size_t k = 0; k < subjects.size(); ++k)
    entries_[place_[subjects[k]]].adam.step({grads[k]}, rate);
  return std::sqrt(squares);
}

at::Tensor VelocityLearner::registered(const at::Tensor& atlas, std::size_t subject,
                                       int stage) const {
  if (data_.dataset().cohort().subjects[subject].is_for_training()) {
    const at::NoGradGuard no_grad;
    return current(entry(subject));
  }
  return instance_.register_image(atlas, data_.batch({subject}, false), config_.optimise.iterations,
                                  stage);
}

void VelocityLearner::begin_stage(int stage) {
  const at::NoGradGuard no_grad;
  const int scale = flow_.velocity_scale();
  const auto full = data_.image_shape();
  std::vector<Entry> next;
  for (std::size_t k = 0; k < data_.training().size(); ++k) {
    if (stage_ > 0) {
      next.push_back(start(refine(current(entries_[k]), stage_ * scale, stage * scale, full)));
      continue;
    }
    const at::Tensor image = reduce(data_.image(data_.training()[k]), stage);
    next.push_back(start(at::zeros(flow_.velocity_sizes(image.sizes()), image.options())));
  }
  entries_ = std::move(next);
  stage_ = stage;
}

void VelocityLearner::follow(const at::Tensor& shift, int stage) {
  const at::NoGradGuard no_grad;
  const at::Tensor here = stage == 1 ? shift : reduce(shift, stage) * (1.0 / stage);
  for (Entry& entry : entries_) entry.base = entry.base - here;
}

void VelocityLearner::save(Safetensors& file) const {
  file.metadata["velocity_stage"] = std::to_string(stage_);
  std::string steps;
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    add_tensor(file, fmt::format("velocity.{}.base", k), entries_[k].base);
    add_tensor(file, fmt::format("velocity.{}.change", k), entries_[k].change);
    const auto adam = entries_[k].adam.state();
    for (std::size_t i = 0; i < adam.size(); ++i)
      add_tensor(file, fmt::format("velocity.{}.adam.{}", k, i), adam[i]);
    steps += fmt::format("{}{}", k ? " " : "", entries_[k].adam.steps());
  }
  file.metadata["velocity_steps"] = steps;
}

void VelocityLearner::restore(const Safetensors& file) {
  const at::NoGradGuard no_grad;
  stage_ = std::stoi(file.text("velocity_stage"));
  entries_.clear();
  if (stage_ == 0) return;
  std::istringstream steps(file.text("velocity_steps"));
  for (std::size_t k = 0; k < data_.training().size(); ++k) {
    const auto take = [&](const std::string& name) {
      return take_tensor(file, fmt::format("velocity.{}.{}", k, name), data_.device());
    };
    Entry entry = start(take("base"));
    at::Tensor(entry.change).copy_(take("change"));
    std::vector<at::Tensor> adam;
    for (std::size_t i = 0; i < entry.adam.state().size(); ++i)
      adam.push_back(take(fmt::format("adam.{}", i)));
    std::int64_t count = 0;
    if (!(steps >> count)) fail("a checkpoint has too few velocity steps");
    entry.adam.restore(adam, count);
    entries_.push_back(std::move(entry));
  }
}

}  // namespace aladdin
