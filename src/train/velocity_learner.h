// The optimising engine: no network, the velocities of the training subjects are what is learned.
//
//   v_i = b_i + G w_i,   w_i <- Adam on dE/dw_i
//
// b_i is what the coarser grids found, G a Gaussian (instance.h). Subjects that are not for training are
// registered to the atlas one by one, from the identity.
#pragma once

#include "aladdin/train/adam.h"
#include "aladdin/train/instance.h"
#include "aladdin/train/learner.h"

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
  void save(Safetensors& file) const override;
  void restore(const Safetensors& file) override;

 private:
  struct Entry {
    at::Tensor base, change;  // b, w
    Adam adam;
  };
  const Entry& entry(std::size_t subject) const { return entries_[place_[subject]]; }
  at::Tensor current(const Entry& entry) const;
  static Entry start(at::Tensor base);

  Config config_;
  const TrainingData& data_;
  Flow flow_;
  InstanceOptimiser instance_;
  std::vector<std::size_t> place_;  // of a training subject in entries_
  std::vector<Entry> entries_;
  int stage_ = 0;  // of which the entries are; 0: none yet
};

}  // namespace aladdin
