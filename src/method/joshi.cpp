#include "aladdin/method/joshi.h"

#include "aladdin/method/demons.h"
#include "aladdin/ops/warp.h"

namespace aladdin {

JoshiLearner::JoshiLearner(const Config& config, const TrainingData& data)
    : FittedLearner(data), config_(config.demons) {}

StepResult JoshiLearner::learn(const at::Tensor& atlas, bool, const Step& step) {
  const at::NoGradGuard no_grad;
  double sum = 0;
  for (const std::size_t subject : step.subjects) {
    const at::Tensor image = data_.image(subject);
    at::Tensor& u = displacements_[place(subject)];
    u = register_to(atlas, image, u);
    sum += (ops::warp(image, u) - atlas).square().mean().item<double>();
  }
  return mean_distance(sum, step);
}

at::Tensor JoshiLearner::register_to(const at::Tensor& atlas, const at::Tensor& image,
                                     const at::Tensor& start) const {
  return demons(DemonsKind::fast_symmetric, config_, data_.spacing(), atlas, image, start);
}

}  // namespace aladdin
