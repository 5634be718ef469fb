#include "aladdin/method/none.h"

#include "aladdin/method/fitted_learner.h"

namespace aladdin {

StepResult NoLearner::learn(const at::Tensor& atlas, bool, const Step& step) {
  double sum = 0;
  for (const std::size_t subject : step.subjects)
    sum += (data_.image(subject) - atlas).square().mean().item<double>();
  return mean_distance(sum, step);
}

at::Tensor NoLearner::registered(const at::Tensor& atlas, std::size_t, int) const {
  return no_displacement(atlas);
}

}  // namespace aladdin
