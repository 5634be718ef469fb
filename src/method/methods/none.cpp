// Row A of the paper's table: no registration. With train.affine the subjects come aligned, and this is
// row B.
#include "aladdin/method/fitted_learner.h"
#include "aladdin/method/method.h"

namespace aladdin {
namespace {

class NoLearner : public Learner {
 public:
  NoLearner(const Config&, const TrainingData& data) : data_(data) {}

  StepResult learn(const at::Tensor& atlas, bool with_atlas_gradient, const Step& step) override;
  at::Tensor registered(const at::Tensor& atlas, std::size_t subject, int stage) const override;
  void save(Safetensors&) const override {}
  void restore(const Safetensors&) override {}

 private:
  const TrainingData& data_;
};

StepResult NoLearner::learn(const at::Tensor& atlas, bool, const Step& step) {
  double sum = 0;
  for (const std::size_t subject : step.subjects)
    sum += (data_.image(subject) - atlas).square().mean().item<double>();
  return mean_distance(sum, step);
}

at::Tensor NoLearner::registered(const at::Tensor& atlas, std::size_t, int) const {
  return no_displacement(atlas);
}

const RegisteredMethod kNone({.about = described(Engine::none), .learner = new_learner<NoLearner>});

}  // namespace
}  // namespace aladdin
