// The optimising engine. Without a network, it learns the velocities of the training subjects themselves, each against
// the current atlas (optimise/optimiser.h). A step gives each of its subjects as many iterations as there are epochs
// between two atlas updates. Pairs of subjects take no part: the atlas alone brings them together. Other subjects are
// registered like new images.
#pragma once

#include "aladdin/method/energy.h"
#include "aladdin/method/learner.h"
#include "aladdin/optimise/optimiser.h"

namespace aladdin {

// The optimiser on the grid of the images, and what it registers.
Optimiser optimiser_of(const Config& config, const TrainingData& data);
ImagePair image_pair(const at::Tensor& atlas, const TrainingData& data, std::size_t subject);
// (1, dims, …) on the velocity grid of the stage.
at::Tensor velocity_tensor(const std::vector<float>& values, const Flow& flow,
                           const TrainingData& data, int stage);

class VelocityLearner : public Learner {
 public:
  VelocityLearner(const Config& config, const TrainingData& data);

  StepResult learn(const at::Tensor& atlas, bool with_atlas_gradient, const Step& step) override;
  at::Tensor registered(const at::Tensor& atlas, std::size_t subject, int stage) const override;
  std::vector<double> weights_in_atlas() const override;
  void begin_stage(int stage) override;
  void follow(const at::Tensor& shift, int stage) override;
  void save(Safetensors& file) const override;
  void restore(const Safetensors& file) override;

 private:
  using Values = std::vector<float>;

  int iterations(int stage) const;
  void require_stage(int stage) const;
  Terms terms_of(const at::Tensor& atlas, std::size_t subject, int stage) const;

  Config config_;
  const TrainingData& data_;
  Flow flow_;
  Energy energy_;
  Optimiser optimiser_;
  std::vector<std::size_t> place_;  // of a training subject in velocities_
  std::vector<Values> velocities_;  // on the velocity grid of the stage; empty: not begun
  std::vector<float> mismatches_;   // as they were last improved; negative: not begun
  int stage_ = 0;                   // 0: none yet
};

}  // namespace aladdin
