// Joshi et al., "Unbiased diffeomorphic atlas construction for computational anatomy" (NeuroImage 2004),
// row C: all images are registered to the tentative mean, the mean is made anew (Eq. 3), and again. An
// epoch is such a round. By fast symmetric-forces demons, each time from where the last round ended.
#pragma once

#include "aladdin/method/fitted_learner.h"

namespace aladdin {

class JoshiLearner : public FittedLearner {
 public:
  JoshiLearner(const Config& config, const TrainingData& data);

  StepResult learn(const at::Tensor& atlas, bool with_atlas_gradient, const Step& step) override;

 protected:
  at::Tensor register_to(const at::Tensor& atlas, const at::Tensor& image,
                         const at::Tensor& start) const override;

 private:
  DemonsConfig config_;
};

}  // namespace aladdin
