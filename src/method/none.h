// Row A of the paper's table: no registration. With train.affine the subjects come aligned, and this is
// row B.
#pragma once

#include "aladdin/method/learner.h"

namespace aladdin {

class NoLearner : public Learner {
 public:
  explicit NoLearner(const TrainingData& data) : data_(data) {}

  StepResult learn(const at::Tensor& atlas, bool with_atlas_gradient, const Step& step) override;
  at::Tensor registered(const at::Tensor& atlas, std::size_t subject, int stage) const override;
  void save(Safetensors&) const override {}
  void restore(const Safetensors&) override {}

 private:
  const TrainingData& data_;
};

}  // namespace aladdin
