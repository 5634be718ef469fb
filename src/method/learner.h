// What a training changes, and the registration that comes of it: the weights of the network
// (network_learner.h), or the velocities of the subjects themselves (velocity_learner.h).
#pragma once

#include "aladdin/network/model.h"
#include "aladdin/network/safetensors.h"
#include "aladdin/ops/unet.h"
#include "aladdin/method/training_data.h"

namespace aladdin {

class Learner {
 public:
  using Subjects = std::vector<std::size_t>;

  virtual ~Learner() = default;

  // The velocities of training subjects on the velocity grid of the stage, as a function of
  // leaves(subjects). atlas (1, 1, …) and images (n, 1, …) are on the full grid.
  virtual at::Tensor velocity(const at::Tensor& atlas, const at::Tensor& images,
                              const Subjects& subjects, int stage) const = 0;
  virtual std::vector<at::Tensor> leaves(const Subjects& subjects) const = 0;
  // Descends along the gradients by those leaves; returns their norm. Changes nothing where that is
  // not finite.
  virtual double step(const Subjects& subjects, const std::vector<at::Tensor>& grads,
                      double rate) = 0;

  // Hears of the gradients by leaves() while the backward pass runs, if the learner can tell. Not owned.
  virtual void set_listener(GradientListener*) {}

  // The velocity of any subject of the cohort as it would be published, on the grid of the stage.
  virtual at::Tensor registered(const at::Tensor& atlas, std::size_t subject, int stage) const = 0;

  // Before the first step of a stage.
  virtual void begin_stage(int stage) = 0;
  // The atlas was moved by exp(-shift), on the velocity grid of stage 1.
  virtual void follow(const at::Tensor& shift, int stage) = 0;
  // The state as it is now is what should be published; or none of those that were kept.
  virtual void keep_best() = 0;
  virtual void forget_best() = 0;
  // From now on registered() is by the best that was kept.
  virtual void use_best() = 0;

  // What registers others, if that is more than the atlas: passes and weights.
  virtual void add_to(Model& model) const = 0;

  // For checkpoints: everything above, to the bit.
  virtual void save(Safetensors& file) const = 0;
  virtual void restore(const Safetensors& file) = 0;
};

}  // namespace aladdin
