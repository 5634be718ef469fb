#include "aladdin/method/velocity_learner.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/parallel.h"
#include "aladdin/image/shape.h"
#include "aladdin/method/atlas.h"
#include "aladdin/method/pyramid.h"
#include "aladdin/method/tensor_file.h"
#include "aladdin/optimise/mismatch.h"

namespace aladdin {
namespace {

[[noreturn]] void fail_stage(int found, int expected) {
  throw Error(fmt::format("the velocities of a checkpoint are those of stage {}, its step is one "
                          "of stage {}",
                          found, expected))
      .hint(fmt::format("start over with {}", option_name("force")));
}

}  // namespace

Optimiser optimiser_of(const Config& config, const TrainingData& data) {
  const Grid& grid = data.dataset().grid();
  return {config, shape_of(grid), grid.spacing};
}

ImagePair image_pair(const at::Tensor& atlas, const TrainingData& data, std::size_t subject) {
  const Batch batch = data.batch({subject}, false);
  ImagePair out{values_of(atlas), values_of(batch.images), {}};
  if (batch.masks.defined()) out.mask = values_of(batch.masks);
  return out;
}

at::Tensor velocity_tensor(const std::vector<float>& values, const Flow& flow,
                           const TrainingData& data, int stage) {
  std::vector<int64_t> images = data.image_shape();
  for (std::size_t d = 2; d < images.size(); ++d) images[d] = (images[d] + stage - 1) / stage;
  const auto sizes = flow.velocity_sizes(images);
  if (values.empty()) return at::zeros(sizes, data.device());  // not begun
  return at::tensor(values).view(sizes).to(data.device());
}

VelocityLearner::VelocityLearner(const Config& config, const TrainingData& data)
    : config_(config),
      data_(data),
      flow_(config.network),
      energy_(config.loss),
      optimiser_(optimiser_of(config, data)),
      place_(data.dataset().size()),
      velocities_(data.training().size()),
      mismatches_(data.training().size(), -1) {
  for (std::size_t k = 0; k < data.training().size(); ++k) place_[data.training()[k]] = k;
}

int VelocityLearner::iterations(int stage) const {
  const auto& pyramid = config_.train.pyramid;
  const auto s = std::find(pyramid.begin(), pyramid.end(), stage) - pyramid.begin();
  return std::min(config_.atlas.every, config_.train.epochs[static_cast<std::size_t>(s)]);
}

void VelocityLearner::require_stage(int stage) const {
  if (stage != stage_) fail_stage(stage_, stage);
}

Terms VelocityLearner::terms_of(const at::Tensor& atlas, std::size_t subject, int stage) const {
  const at::NoGradGuard no_grad;
  Batch batch = data_.batch({subject}, false);
  batch.images = reduce(batch.images, stage);
  if (batch.masks.defined()) batch.masks = reduce(batch.masks, stage);
  std::array<double, 3> spacing = data_.spacing();
  for (double& s : spacing) s *= stage;
  const at::Tensor v = velocity_tensor(velocities_[place_[subject]], flow_, data_, stage);
  return energy_(reduce(atlas, stage), batch, flow_(v, batch.images.sizes()), spacing,
                 config_.network.velocity_scale);
}

StepResult VelocityLearner::learn(const at::Tensor& atlas, bool, const Step& step) {
  require_stage(step.stage);
  std::vector<ImagePair> images;
  for (const std::size_t subject : step.subjects)
    images.push_back(image_pair(atlas, data_, subject));
  // Side by side, each on one thread: a subject's own steps are many and small.
  parallel_for(static_cast<std::int64_t>(step.subjects.size()), [&](std::int64_t k) {
    Values& v = velocities_[place_[step.subjects[k]]];
    v = optimiser_.improve(images[k], std::move(v), step.stage, iterations(step.stage));
  });
  StepResult out;
  double energy = 0;
  for (const std::size_t subject : step.subjects) {
    const Terms terms = terms_of(atlas, subject, step.stage);
    mismatches_[place_[subject]] = static_cast<float>(terms.sim);
    const double share = 1 / double(step.subjects.size());
    energy += share * terms.energy.item<double>();
    out.terms.sim += share * terms.sim;
    out.terms.reg += share * terms.reg;
  }
  out.terms.energy = at::scalar_tensor(energy, at::kDouble);
  out.finite = std::isfinite(energy);
  return out;
}

at::Tensor VelocityLearner::registered(const at::Tensor& atlas, std::size_t subject,
                                       int stage) const {
  if (data_.dataset().cohort().subjects[subject].is_for_training()) {
    require_stage(stage);
    return velocity_tensor(velocities_[place_[subject]], flow_, data_, stage);
  }
  return velocity_tensor(optimiser_.register_image(image_pair(atlas, data_, subject), stage), flow_,
                         data_, stage);
}

std::vector<double> VelocityLearner::weights_in_atlas() const {
  if (std::ranges::any_of(mismatches_, [](float m) { return m < 0; })) return {};
  const Mismatches all(std::vector<double>(mismatches_.begin(), mismatches_.end()));
  std::vector<double> out;
  for (const float mismatch : mismatches_) out.push_back(all.weight(mismatch));
  return out;
}

void VelocityLearner::begin_stage(int stage) {
  if (stage_ > 0 && stage_ < stage) fail_stage(stage_, stage);  // they go from coarse to fine
  const int scale = flow_.velocity_scale();
  for (Values& v : velocities_)
    if (!v.empty()) v = optimiser_.refined(std::move(v), stage_ * scale, stage * scale);
  stage_ = stage;
}

void VelocityLearner::follow(const at::Tensor& shift, int stage) {
  const at::NoGradGuard no_grad;
  const at::Tensor here = stage == 1 ? shift : reduce(shift, stage) * (1.0 / stage);
  for (Values& v : velocities_)
    if (!v.empty()) v = values_of(without(here, velocity_tensor(v, flow_, data_, stage)));
}

void VelocityLearner::save(Safetensors& file) const {
  file.metadata["velocity_stage"] = std::to_string(stage_);
  add_tensor(file, "mismatches", at::tensor(mismatches_));
  for (std::size_t k = 0; k < velocities_.size(); ++k)
    if (!velocities_[k].empty())
      add_tensor(file, fmt::format("velocity.{}", k),
                 velocity_tensor(velocities_[k], flow_, data_, stage_));
}

void VelocityLearner::restore(const Safetensors& file) {
  stage_ = static_cast<int>(take_count(file, "velocity_stage", kMostEpochs));
  for (Values& v : velocities_) v.clear();
  mismatches_ = values_of(take_tensor(file, "mismatches", at::tensor(mismatches_)));
  if (stage_ == 0) return;
  if (std::ranges::count(config_.train.pyramid, stage_) == 0)
    fail("the velocities of a checkpoint are those of stage {}, which this training does not have",
         stage_);
  std::vector<int64_t> images = data_.image_shape();
  for (std::size_t d = 2; d < images.size(); ++d) images[d] = (images[d] + stage_ - 1) / stage_;
  const at::Tensor like = at::empty(flow_.velocity_sizes(images));
  for (std::size_t k = 0; k < velocities_.size(); ++k)
    if (const std::string name = fmt::format("velocity.{}", k); file.contains(name))
      velocities_[k] = values_of(take_tensor(file, name, like));
}

}  // namespace aladdin
