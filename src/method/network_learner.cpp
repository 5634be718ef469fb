#include "aladdin/method/network_learner.h"

#include <fmt/format.h>

#include "aladdin/method/tensor_file.h"

namespace aladdin {
namespace {

Registration first_registration(const Config& config, const TrainingData& data) {
  const UnetOptions options = unet_options(config.network, data.dataset().grid().dims);
  Unet network(options, config.train.seed);
  if (data.device().is_cpu()) return {config.network, std::move(network)};
  std::vector<at::Tensor> moved;
  for (const at::Tensor& parameter : network.parameters())
    moved.push_back(parameter.detach().to(data.device()).requires_grad_(true));
  return {config.network, Unet(options, moved)};
}

}  // namespace

NetworkLearner::NetworkLearner(const Config& config, const TrainingData& data)
    : GradientLearner(config, data),
      registration_(first_registration(config, data)),
      adam_(registration_.network().parameters(),
            {.clip = config.train.clip, .average = config.train.average}) {
  registration_.set_listener(listener());
}

Fields NetworkLearner::fields(const at::Tensor& atlas, const at::Tensor& images,
                              const Step& step) const {
  const auto sizes = sizes_at(step.stage, images.size(0));
  Fields out = flow_(registration_.velocity(atlas, images, step.stage), sizes);
  // The way back by the same network (methods/he.cpp).
  if (config_.loss.cycle > 0)
    out.to_atlas = flow_(registration_.exchanged(atlas, images), sizes).to_subject;
  return out;
}

std::vector<at::Tensor> NetworkLearner::leaves(const Subjects&) const {
  return registration_.network().parameters();
}

double NetworkLearner::descend(const Subjects&, const std::vector<at::Tensor>& grads, double rate) {
  return adam_.step(grads, rate);
}

const std::vector<at::Tensor>& NetworkLearner::weights() const {
  return best_is_used_ && !best_.empty() ? best_ : adam_.averaged();
}

at::Tensor NetworkLearner::registered(const at::Tensor& atlas, std::size_t subject,
                                      int stage) const {
  const at::NoGradGuard no_grad;
  return registration_.with(weights()).velocity(atlas, data_.image(subject), stage);
}

void NetworkLearner::keep_best() {
  best_.clear();
  for (const at::Tensor& weight : adam_.averaged()) best_.push_back(weight.detach().clone());
}

void NetworkLearner::add_to(Model& model) const {
  if (!flow_.is_velocity()) return;  // a model's network predicts velocities
  model.passes = config_.network.passes;
  for (const at::Tensor& weight : weights()) model.parameters.push_back(values_of(weight));
}

void NetworkLearner::save(Safetensors& file) const {
  const auto names = registration_.network().parameter_names();
  for (std::size_t i = 0; i < names.size(); ++i)
    add_tensor(file, "weight." + names[i], registration_.network().parameters()[i]);
  const auto adam = adam_.state();
  for (std::size_t i = 0; i < adam.size(); ++i)
    add_tensor(file, fmt::format("adam.{}", i), adam[i]);
  for (std::size_t i = 0; i < best_.size(); ++i)
    add_tensor(file, fmt::format("best.{}", i), best_[i]);
  file.metadata["adam_steps"] = std::to_string(adam_.steps());
}

void NetworkLearner::restore(const Safetensors& file) {
  const at::NoGradGuard no_grad;
  const auto& weights = registration_.network().parameters();
  const auto names = registration_.network().parameter_names();
  for (std::size_t i = 0; i < names.size(); ++i)  // in place: the optimiser holds on to them
    at::Tensor(weights[i]).copy_(take_tensor(file, "weight." + names[i], weights[i]));
  auto adam = adam_.state();
  for (std::size_t i = 0; i < adam.size(); ++i)
    adam[i] = take_tensor(file, fmt::format("adam.{}", i), adam[i]);
  adam_.restore(adam, take_count(file, "adam_steps", kMostSteps));
  best_.clear();
  if (!file.contains("best.0")) return;  // all of them, or none
  for (std::size_t i = 0; i < weights.size(); ++i)
    best_.push_back(take_tensor(file, fmt::format("best.{}", i), weights[i]));
}

}  // namespace aladdin
