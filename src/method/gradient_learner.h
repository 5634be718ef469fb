// Learning along the gradient of the energy: the step, whatever it changes.
#pragma once

#include <optional>

#include "aladdin/core/rng.h"
#include "aladdin/method/energy.h"
#include "aladdin/method/learner.h"
#include "aladdin/team/gradient_sum.h"

namespace aladdin {

class GradientLearner : public Learner {
 public:
  GradientLearner(const Config& config, const TrainingData& data);

  StepResult learn(const at::Tensor& atlas, bool with_atlas_gradient, const Step& step) override;
  void be_taught(std::vector<at::Tensor> velocities) override;

 protected:
  // The fields of training subjects on the grid of the stage, differentiable in leaves(subjects). atlas
  // (1, 1, …) and images (n, 1, …) are on the full grid.
  virtual Fields fields(const at::Tensor& atlas, const at::Tensor& images,
                        const Step& step) const = 0;
  virtual std::vector<at::Tensor> leaves(const Subjects& subjects) const = 0;
  // Descends along the gradients of the energy in those leaves and returns their norm. Changes nothing if the norm is
  // not finite.
  virtual double descend(const Subjects& subjects, const std::vector<at::Tensor>& grads,
                         double rate) = 0;

  // The sizes of `count` images on the grid of the stage.
  std::vector<int64_t> sizes_at(int stage, int64_t count) const;

  // Notified of each gradient while the backward pass runs; null: nobody is.
  GradientListener* listener() { return gradient_sum_ ? &*gradient_sum_ : nullptr; }

  Config config_;
  const TrainingData& data_;
  Flow flow_;

 private:
  // The same step, shared with other processes, each of which has a part of the batch (together.cpp).
  StepResult learn_together(const at::Tensor& atlas, bool with_atlas_gradient, const Step& step);
  Batch exchanged_batch(const Step& step) const;
  // For the augmentation of a step.
  Rng random_numbers(const Step& step) const;
  // Only images as they are have a teacher: every second step, and what is augmented has none.
  bool is_taught(const Step& step) const { return !taught_.empty() && step.number % 2 == 0; }
  double augmentation(const Step& step) const {
    return is_taught(step) ? 0 : config_.train.augment;
  }
  // What those of the step are taught, on the grid of its stage; undefined: nothing.
  at::Tensor taught(const Step& step) const;
  // A batch on the grid of the stage, and the spacing there.
  static Batch reduced(Batch batch, int stage);
  std::array<double, 3> spacing_at(int stage) const;

  Energy energy_;
  std::vector<std::size_t> place_;  // of a subject in taught_
  std::vector<at::Tensor> taught_;  // on the velocity grid of stage 1
  std::optional<GradientSum> gradient_sum_;
};

}  // namespace aladdin
