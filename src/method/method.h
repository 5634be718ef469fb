// The half of a method that needs Torch: its energy, or its learner. The other half, its name and description, is in
// config/methods.h. Each method is one file in method/methods with one static object:
//
//   const RegisteredMethod kMine({.about = described(EnergyKind::mine), .energy = energy_of});
//
// The rest of a build is the same for all: schedule, atlas updates, validation, checkpoints, publishing.
#pragma once

#include <memory>

#include "aladdin/config/methods.h"
#include "aladdin/method/learner.h"

namespace aladdin {

// The arguments of an energy. Everything is on one grid with this spacing along x, y, z; fields.…_coarse have
// velocity_scale times that spacing.
struct EnergyInput {
  const LossConfig& config;
  const Dissimilarity& dissimilarity;
  const at::Tensor& atlas;  // (1, 1, …)
  const Batch& batch;
  const Fields& fields;
  const std::array<double, 3>& spacing_mm;
  int velocity_scale;
};

// Along the energy of loss.energy: train.engine `learn` changes the weights of a network, `optimise` the
// velocities.
std::unique_ptr<Learner> make_gradient_learner(const Config& config, const TrainingData& data);

template <class AnyLearner>
std::unique_ptr<Learner> new_learner(const Config& config, const TrainingData& data) {
  return std::make_unique<AnyLearner>(config, data);
}

struct Method {
  const MethodDescription& about;
  // Per image, so that its value does not depend on the batch size. Null: the method has none.
  Terms (*energy)(const EnergyInput& input) = nullptr;
  // Whether the shares of a batch (terms.h) add up to the whole.
  bool adds_up = false;
  // Makes what registers the training subjects, and any other (Learner::registered).
  std::unique_ptr<Learner> (*learner)(const Config& config,
                                      const TrainingData& data) = make_gradient_learner;
};

struct RegisteredMethod {
  explicit RegisteredMethod(const Method& method);
};

// The method that owns this engine or this energy.
template <Choice Enum>
constexpr const MethodDescription& described(Enum value) {
  return *find_method(value);
}

const Method& registered(const MethodDescription& description);

}  // namespace aladdin
