// Joshi et al., "Unbiased diffeomorphic atlas construction for computational anatomy" (NeuroImage 2004),
// row C: all images are registered to the tentative mean, the mean is made anew (Eq. 3), and again. An
// epoch is such a round. By fast symmetric-forces demons, each time from where the last round ended.
#include "aladdin/method/fitted_learner.h"
#include "aladdin/method/method.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

class JoshiLearner : public FittedLearner {
 public:
  using FittedLearner::FittedLearner;

  StepResult learn(const at::Tensor& atlas, bool with_atlas_gradient, const Step& step) override;
};

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

const RegisteredMethod kJoshi({.about = described(Engine::joshi),
                               .learner = new_learner<JoshiLearner>});

}  // namespace
}  // namespace aladdin
