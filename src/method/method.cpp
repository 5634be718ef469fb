#include "aladdin/method/method.h"

#include <map>

#include "aladdin/core/error.h"
#include "aladdin/method/network_learner.h"
#include "aladdin/method/velocity_learner.h"

namespace aladdin {
namespace {

std::map<std::string_view, Method>& registry() {
  static std::map<std::string_view, Method> all;
  return all;
}

}  // namespace

RegisteredMethod::RegisteredMethod(const Method& method) {
  registry().emplace(method.about.name, method);
}

const Method& registered(const MethodDescription& description) {
  const auto found = registry().find(description.name);
  if (found == registry().end())
    fail("the method '{}' has no file in src/method/methods", description.name);
  return found->second;
}

std::unique_ptr<Learner> make_gradient_learner(const Config& config, const TrainingData& data) {
  switch (config.train.engine) {
    case Engine::learn:
      return std::make_unique<NetworkLearner>(config, data);
    case Engine::optimise:
      return std::make_unique<VelocityLearner>(config, data);
    default:
      fail("the engine '{}' does not descend along an energy, expected learn or optimise",
           name_of(config.train.engine));
  }
}

std::unique_ptr<Learner> make_learner(const Config& config, const TrainingData& data) {
  return registered(method_of(config)).learner(config, data);
}

}  // namespace aladdin
