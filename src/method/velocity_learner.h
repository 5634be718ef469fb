// The optimising engine: no network, the velocities of the training subjects are what is learned
// (smooth_descent.h, on each grid from what the coarser one found). Subjects that are not for training
// are registered to the atlas one by one, from the identity.
#pragma once

#include "aladdin/method/instance.h"
#include "aladdin/method/learner.h"
#include "aladdin/method/smooth_descent.h"

namespace aladdin {

class VelocityLearner : public Learner {
 public:
  VelocityLearner(const Config& config, const TrainingData& data);

  at::Tensor velocity(const at::Tensor& atlas, const at::Tensor& images, const Subjects& subjects,
                      int stage) const override;
  std::vector<at::Tensor> leaves(const Subjects& subjects) const override;
  double step(const Subjects& subjects, const std::vector<at::Tensor>& grads, double rate) override;
  at::Tensor registered(const at::Tensor& atlas, std::size_t subject, int stage) const override;
  void begin_stage(int stage) override;
  void follow(const at::Tensor& shift, int stage) override;
  // The last velocities are the ones that belong to the last atlas.
  void keep_best() override {}
  void forget_best() override {}
  void use_best() override {}
  void add_to(Model&) const override {}
  void save(Safetensors& file) const override;
  void restore(const Safetensors& file) override;

 private:
  const SmoothDescent& descent(std::size_t subject) const { return descents_[place_[subject]]; }

  Config config_;
  const TrainingData& data_;
  Flow flow_;
  InstanceOptimiser instance_;
  std::vector<std::size_t> place_;  // of a training subject in descents_
  std::vector<SmoothDescent> descents_;
  int stage_ = 0;  // of which the descents are; 0: none yet
};

}  // namespace aladdin
