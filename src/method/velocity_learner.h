// The optimising engine: no network, the velocities of the training subjects are what is learned
// (smooth_descent.h, on each grid from what the coarser one found). Subjects that are not for training
// are registered to the atlas one by one, from the identity. The last velocities are the ones that belong
// to the last atlas: none before is kept.
#pragma once

#include "aladdin/method/gradient_learner.h"
#include "aladdin/method/instance.h"
#include "aladdin/method/smooth_descent.h"

namespace aladdin {

class VelocityLearner : public GradientLearner {
 public:
  VelocityLearner(const Config& config, const TrainingData& data);

  at::Tensor registered(const at::Tensor& atlas, std::size_t subject, int stage) const override;
  void begin_stage(int stage) override;
  void follow(const at::Tensor& shift, int stage) override;
  void save(Safetensors& file) const override;
  void restore(const Safetensors& file) override;

 protected:
  Fields fields(const at::Tensor& atlas, const at::Tensor& images, const Step& step) const override;
  std::vector<at::Tensor> leaves(const Subjects& subjects) const override;
  double descend(const Subjects& subjects, const std::vector<at::Tensor>& grads,
                 double rate) override;

 private:
  // Of a training subject. Throws where they are of another stage: a checkpoint may say so.
  const SmoothDescent& descent(std::size_t subject, int stage) const;

  InstanceOptimiser instance_;
  std::vector<std::size_t> place_;  // of a training subject in descents_
  std::vector<SmoothDescent> descents_;
  int stage_ = 0;  // of which the descents are; 0: none yet
};

}  // namespace aladdin
