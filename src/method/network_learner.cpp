#include "aladdin/method/network_learner.h"

#include <fmt/format.h>

#include "aladdin/method/tensor_file.h"

namespace aladdin {
namespace {

NetworkPasses first_passes(const Config& config, const TrainingData& data) {
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
      passes_(first_passes(config, data)),
      adam_(passes_.network().parameters(),
            {.clip = config.train.clip, .average = config.train.average}) {
  passes_.set_listener(listener());
}

Fields NetworkLearner::fields(const at::Tensor& atlas, const at::Tensor& images,
                              const Step& step) const {
  const auto sizes = sizes_at(step.stage, images.size(0));
  Fields out = flow_(passes_.velocity(atlas, images, step.stage), sizes);
  // The way back by the same network (methods/he.cpp).
  if (config_.loss.cycle > 0)
    out.to_atlas = flow_(passes_.exchanged(atlas, images), sizes).to_subject;
  return out;
}

std::vector<at::Tensor> NetworkLearner::leaves(const Subjects&) const {
  return passes_.network().parameters();
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
  return passes_.with(weights()).velocity(atlas, data_.image(subject), stage);
}

void NetworkLearner::keep_best() {
  best_.clear();
  for (const at::Tensor& weight : adam_.averaged()) best_.push_back(weight.detach().clone());
}

void NetworkLearner::add_to(Model& model) const {
  model.passes = config_.network.passes;
  for (const at::Tensor& weight : weights()) model.parameters.push_back(values_of(weight));
}

void NetworkLearner::save(Safetensors& file) const {
  const auto names = passes_.network().parameter_names();
  for (std::size_t i = 0; i < names.size(); ++i)
    add_tensor(file, "weight." + names[i], passes_.network().parameters()[i]);
  const auto adam = adam_.state();
  for (std::size_t i = 0; i < adam.size(); ++i)
    add_tensor(file, fmt::format("adam.{}", i), adam[i]);
  for (std::size_t i = 0; i < best_.size(); ++i)
    add_tensor(file, fmt::format("best.{}", i), best_[i]);
  file.metadata["adam_steps"] = std::to_string(adam_.steps());
}

void NetworkLearner::restore(const Safetensors& file) {
  const at::NoGradGuard no_grad;
  const auto& weights = passes_.network().parameters();
  const auto names = passes_.network().parameter_names();
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
