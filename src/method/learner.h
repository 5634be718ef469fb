// What a training changes, and how that registers an image: the weights of the network (network_learner.h) or the
// velocities of the subjects themselves (velocity_learner.h), both along the gradient of the energy; or the
// registrations of a method without gradients (methods/joshi.cpp, absorb.cpp, none.cpp).
#pragma once

#include "aladdin/method/training_data.h"
#include "aladdin/network/model.h"
#include "aladdin/network/safetensors.h"

namespace aladdin {

// One step of a training: these subjects, on the grid of this stage.
struct Step {
  std::vector<std::size_t> subjects;
  int stage = 1;
  double rate = 0;
  std::int64_t number = 0;  // of all so far
};

struct StepResult {
  Terms terms;      // the energy without a graph
  double norm = 0;  // of the gradient
  bool finite = true;
  at::Tensor atlas_gradient;  // undefined unless it was asked for
};

class Learner {
 public:
  using Subjects = std::vector<std::size_t>;

  virtual ~Learner() = default;

  // Changes nothing where the result is not finite.
  virtual StepResult learn(const at::Tensor& atlas, bool with_atlas_gradient, const Step& step) = 0;

  // The velocity (or the displacement, network.flow) of any subject of the cohort on the grid of the stage.
  virtual at::Tensor registered(const at::Tensor& atlas, std::size_t subject, int stage) const = 0;

  // From now on the velocities of the teacher, for each training subject, are part of what is learned.
  virtual void be_taught(std::vector<at::Tensor>) {}
  // How much each training subject should weigh in the atlas, between 0 and 1; empty: all the same.
  virtual std::vector<double> weights_in_atlas() const { return {}; }
  // Before the first step of a stage.
  virtual void begin_stage(int) {}
  // The atlas was moved by exp(-shift), on the velocity grid of stage 1.
  virtual void follow(const at::Tensor&, int) {}
  // Remembers the current state as the one to publish; or forgets it.
  virtual void keep_best() {}
  virtual void forget_best() {}
  // From now on registered() uses the state that was kept.
  virtual void use_best() {}

  // Adds what the registration of new images needs beyond the atlas: passes and weights.
  virtual void add_to(Model&) const {}

  // For checkpoints: everything above, to the bit. The file is not trusted: restore() throws if a shape or a number
  // does not belong to this training; a restore() that failed leaves nothing behind for the next one.
  virtual void save(Safetensors& file) const = 0;
  virtual void restore(const Safetensors& file) = 0;
};

// That of the method (method.h).
std::unique_ptr<Learner> make_learner(const Config& config, const TrainingData& data);

}  // namespace aladdin
