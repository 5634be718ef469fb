// Methods that register each subject by means of their own (network/own_registration.h) and keep the displacements
// that pull the training subjects to the atlas.
#pragma once

#include "aladdin/method/learner.h"

namespace aladdin {

class FittedLearner : public Learner {
 public:
  FittedLearner(const Config& config, const TrainingData& data);

  // A training subject's displacement so far; any other subject is registered now.
  at::Tensor registered(const at::Tensor& atlas, std::size_t subject, int stage) const override;
  void save(Safetensors& file) const override;
  void restore(const Safetensors& file) override;

 protected:
  // The displacement that pulls the image to the atlas, from `start` on: register_by_own_means, as a new image is
  // registered.
  at::Tensor register_to(const at::Tensor& atlas, const at::Tensor& image,
                         const at::Tensor& start) const;

  std::size_t place(std::size_t subject) const { return place_[subject]; }

  const Config config_;
  const TrainingData& data_;
  std::vector<at::Tensor> displacements_;  // by place, in voxels

 private:
  std::vector<std::size_t> place_;  // of a training subject in displacements_
};

// (1, dims, …) for an image (1, 1, …).
at::Tensor no_displacement(const at::Tensor& image);
// The result of a step whose subjects' mean squared differences from the atlas add up to `sum`.
StepResult mean_distance(double sum, const Step& step);

}  // namespace aladdin
