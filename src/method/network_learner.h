// Learning the network: Adam on its weights, and an exponential average of them which is what
// registers.
#pragma once

#include "aladdin/method/adam.h"
#include "aladdin/method/learner.h"
#include "aladdin/method/registration.h"

namespace aladdin {

class NetworkLearner : public Learner {
 public:
  NetworkLearner(const Config& config, const TrainingData& data);

  at::Tensor velocity(const at::Tensor& atlas, const at::Tensor& images, const Subjects& subjects,
                      int stage) const override;
  std::vector<at::Tensor> leaves(const Subjects& subjects) const override;
  double step(const Subjects& subjects, const std::vector<at::Tensor>& grads, double rate) override;
  void set_listener(GradientListener* listener) override { registration_.set_listener(listener); }
  at::Tensor registered(const at::Tensor& atlas, std::size_t subject, int stage) const override;
  void begin_stage(int) override {}
  // The network finds the atlas where it is.
  void follow(const at::Tensor&, int) override {}
  void keep_best() override;
  void forget_best() override { best_.clear(); }
  void use_best() override { best_is_used_ = true; }
  void add_to(Model& model) const override;
  void save(Safetensors& file) const override;
  void restore(const Safetensors& file) override;

 private:
  // The averaged weights, or the best of them that were kept.
  const std::vector<at::Tensor>& weights() const;

  const TrainingData& data_;
  std::vector<int> passes_;
  Registration registration_;
  Adam adam_;
  std::vector<at::Tensor> best_;
  bool best_is_used_ = false;
};

}  // namespace aladdin
