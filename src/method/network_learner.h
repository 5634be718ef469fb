// Training the network: Adam on its weights. Images are registered with their exponential average.
#pragma once

#include "aladdin/method/adam.h"
#include "aladdin/method/gradient_learner.h"
#include "aladdin/method/network_passes.h"

namespace aladdin {

class NetworkLearner : public GradientLearner {
 public:
  NetworkLearner(const Config& config, const TrainingData& data);

  at::Tensor registered(const at::Tensor& atlas, std::size_t subject, int stage) const override;
  void keep_best() override;
  void forget_best() override { best_.clear(); }
  void use_best() override { best_is_used_ = true; }
  void add_to(Model& model) const override;
  void save(Safetensors& file) const override;
  void restore(const Safetensors& file) override;

 protected:
  Fields fields(const at::Tensor& atlas, const at::Tensor& images, const Step& step) const override;
  std::vector<at::Tensor> leaves(const Subjects& subjects) const override;
  double descend(const Subjects& subjects, const std::vector<at::Tensor>& grads,
                 double rate) override;

 private:
  // The averaged weights, or the best that were kept.
  const std::vector<at::Tensor>& weights() const;

  NetworkPasses passes_;
  Adam adam_;
  std::vector<at::Tensor> best_;
  bool best_is_used_ = false;
};

}  // namespace aladdin
