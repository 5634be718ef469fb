#include "aladdin/method/absorb.h"
#include "aladdin/method/joshi.h"
#include "aladdin/method/network_learner.h"
#include "aladdin/method/none.h"
#include "aladdin/method/velocity_learner.h"

namespace aladdin {

std::unique_ptr<Learner> make_learner(const Config& config, const TrainingData& data) {
  const std::string& engine = config.train.engine;
  if (engine == "optimise") return std::make_unique<VelocityLearner>(config, data);
  if (engine == "none") return std::make_unique<NoLearner>(data);
  if (engine == "joshi") return std::make_unique<JoshiLearner>(config, data);
  if (engine == "absorb") return std::make_unique<AbsorbLearner>(config, data);
  return std::make_unique<NetworkLearner>(config, data);
}

}  // namespace aladdin
