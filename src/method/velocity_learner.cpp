#include "aladdin/method/velocity_learner.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/method/pyramid.h"
#include "aladdin/method/tensor_file.h"

namespace aladdin {
namespace {

[[noreturn]] void fail_stage(int found, int expected) {
  throw Error(fmt::format("the velocities of a checkpoint are those of stage {}, its step is one "
                          "of stage {}",
                          found, expected))
      .hint("start anew with --force");
}

}  // namespace

VelocityLearner::VelocityLearner(const Config& config, const TrainingData& data)
    : GradientLearner(config, data),
      instance_(config, data.spacing()),
      place_(data.dataset().size()) {
  for (std::size_t k = 0; k < data.training().size(); ++k) place_[data.training()[k]] = k;
}

const SmoothDescent& VelocityLearner::descent(std::size_t subject, int stage) const {
  if (stage != stage_) fail_stage(stage_, stage);
  return descents_[place_[subject]];
}

Fields VelocityLearner::fields(const at::Tensor&, const at::Tensor&, const Step& step) const {
  std::vector<at::Tensor> all;
  for (const std::size_t subject : step.subjects)
    all.push_back(descent(subject, step.stage).velocity());
  return flow_(at::cat(all), sizes_at(step.stage, static_cast<int64_t>(all.size())));
}

std::vector<at::Tensor> VelocityLearner::leaves(const Subjects& subjects) const {
  std::vector<at::Tensor> out;
  for (const std::size_t subject : subjects) out.push_back(descents_[place_[subject]].leaf());
  return out;
}

double VelocityLearner::descend(const Subjects& subjects, const std::vector<at::Tensor>& grads,
                                double rate) {
  double squares = 0;
  for (const at::Tensor& grad : grads) squares += grad.square().sum().item<double>();
  if (!std::isfinite(squares)) return squares;
  for (std::size_t k = 0; k < subjects.size(); ++k)
    descents_[place_[subjects[k]]].step(grads[k], rate);
  return std::sqrt(squares);
}

at::Tensor VelocityLearner::registered(const at::Tensor& atlas, std::size_t subject,
                                       int stage) const {
  if (data_.dataset().cohort().subjects[subject].is_for_training()) {
    const at::NoGradGuard no_grad;
    return descent(subject, stage).velocity();
  }
  return instance_.register_image(atlas, data_.batch({subject}, false), config_.optimise.iterations,
                                  stage);
}

void VelocityLearner::begin_stage(int stage) {
  if (stage_ > 0 && stage_ < stage) fail_stage(stage_, stage);  // they go from coarse to fine
  const at::NoGradGuard no_grad;
  const int scale = flow_.velocity_scale();
  const auto full = data_.image_shape();
  std::vector<SmoothDescent> next;
  for (std::size_t k = 0; k < data_.training().size(); ++k) {
    at::Tensor base;
    if (stage_ > 0) {
      base = refine(descents_[k].velocity(), stage_ * scale, stage * scale, full);
    } else {
      const at::Tensor image = reduce(data_.image(data_.training()[k]), stage);
      base = at::zeros(flow_.velocity_sizes(image.sizes()), image.options());
    }
    next.emplace_back(base, config_.optimise.sigma);
  }
  descents_ = std::move(next);
  stage_ = stage;
}

void VelocityLearner::follow(const at::Tensor& shift, int stage) {
  const at::NoGradGuard no_grad;
  const at::Tensor here = stage == 1 ? shift : reduce(shift, stage) * (1.0 / stage);
  for (SmoothDescent& descent : descents_) descent.subtract(here);
}

void VelocityLearner::save(Safetensors& file) const {
  file.metadata["velocity_stage"] = std::to_string(stage_);
  for (std::size_t k = 0; k < descents_.size(); ++k)
    descents_[k].save(file, fmt::format("velocity.{}", k));
}

void VelocityLearner::restore(const Safetensors& file) {
  stage_ = static_cast<int>(take_count(file, "velocity_stage", kMostEpochs));
  descents_.clear();
  if (stage_ == 0) return;
  if (std::ranges::count(config_.train.pyramid, stage_) == 0)
    fail("the velocities of a checkpoint are those of stage {}, which this training does not have",
         stage_);
  const at::Tensor like = at::empty(flow_.velocity_sizes(sizes_at(stage_, 1)), data_.device());
  for (std::size_t k = 0; k < data_.training().size(); ++k)
    descents_.push_back(
        SmoothDescent::restored(file, fmt::format("velocity.{}", k), config_.optimise.sigma, like));
}

}  // namespace aladdin
