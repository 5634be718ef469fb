#include "aladdin/config/validate.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "aladdin/config/methods.h"
#include "aladdin/config/value.h"
#include "aladdin/config/visit.h"
#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

template <class Value>
void validate_value(const Setting& setting, const Value& value) {
  if (setting.constraint.allows(value)) return;
  std::string expected = setting.constraint.text();
  if constexpr (std::is_same_v<Value, std::string>) {
    if (expected.empty()) expected = setting.meaning;
  }
  if constexpr (std::is_same_v<Value, std::uint64_t>) expected = "at most 9223372036854775807";
  fail_usage("{} is {}, expected {}", setting.key, value_text(value),
             expected.empty() ? "a finite number" : expected);
}

void validate_pairs(const Config& config) {
  const LossConfig& loss = config.loss;
  if (config.train.batch > 1) return;
  const std::pair<const char*, double> weights[] = {{"loss.gamma2", loss.gamma2},
                                                    {"loss.gamma1", loss.gamma1},
                                                    {"loss.supervise", loss.supervise}};
  for (const auto& [key, weight] : weights)
    if (weight > 0)
      throw Error(fmt::format("{} is {} and train.batch is 1, but pairs need a batch of at least 2",
                              key, value_text(weight)),
                  ExitCode::usage)
          .hint("set train.batch = 2, or loss.gamma1, loss.gamma2 and loss.supervise to 0");
}

void validate_energy(const LossConfig& loss) {
  if (loss.sim + loss.gamma1 + loss.gamma2 + loss.supervise > 0) return;
  fail_usage(
      "loss.sim, loss.gamma1, loss.gamma2 and loss.supervise are all 0: nothing would draw the "
      "images together, expected at least one to be more than 0");
}

void validate_published(const Config& config) {
  const LossConfig& loss = config.loss;
  if (!loss.published) return;
  if (config.train.batch > 1 && config.train.batch % 2 == 1)
    fail_usage(
        "train.batch is {} and loss.published is on, which pairs the two halves of a batch: "
        "expected an even number",
        config.train.batch);
  if (loss.regulariser != RegulariserKind::bending)
    fail_usage("loss.regulariser is {} and loss.published is on, expected \"bending\"",
               value_text(loss.regulariser));
  if (loss.supervise > 0)
    fail_usage("loss.supervise is {} and loss.published is on, expected 0: it knows no labels",
               value_text(loss.supervise));
}

void validate_atlas(const AtlasConfig& atlas) {
  if (atlas.update != AtlasRule::fixed || !atlas.centre) return;
  throw Error("atlas.update is \"fixed\" and atlas.centre is true, but a fixed atlas is not moved",
              ExitCode::usage)
      .hint("set atlas.centre = false");
}

void validate_stages(const Config& config) {
  const TrainConfig& train = config.train;
  // A stage ends with the pass on its own grid.
  for (const int stage : train.pyramid)
    if (!train.optimises() && !train.fits() &&
        std::find(config.network.passes.begin(), config.network.passes.end(), stage) ==
            config.network.passes.end())
      throw Error(fmt::format("train.pyramid is {} and network.passes is {}, expected a pass for "
                              "each stage",
                              value_text(train.pyramid), value_text(config.network.passes)),
                  ExitCode::usage)
          .hint("with network.passes = [1] set train.pyramid = [1]");
  if (train.epochs.size() == train.pyramid.size()) return;
  fail_usage(
      "train.epochs has {} and train.pyramid has {}, expected a number for each stage: {} and {}",
      counted(static_cast<long long>(train.epochs.size()), "number"),
      counted(static_cast<long long>(train.pyramid.size()), "stage"), value_text(train.epochs),
      value_text(train.pyramid));
}

void validate_engine(const Config& config) {
  if (!config.train.optimises()) return;
  if (config.loss.published || config.network.published)
    fail_usage("train.engine is {} and the published quirks are on, expected \"learn\"",
               value_text(config.train.engine));
  // It registers each subject to the atlas, without a batch and without a gradient by the atlas.
  if (config.loss.supervise > 0)
    fail_usage(
        "train.engine is {} and loss.supervise is {}, expected \"learn\": only a network learns from labels",
        value_text(config.train.engine), value_text(config.loss.supervise));
  const AtlasRule rule = config.atlas.update;
  if (rule == AtlasRule::learned || rule == AtlasRule::adam)
    fail_usage("train.engine is {} and atlas.update is {}, expected forward, backward or fixed",
               value_text(config.train.engine), value_text(rule));
}

// A displacement has no velocity to centre, to refine or to start another pass from.
constexpr Requirement kDisplacementAsks[] = {
    {"atlas.centre", "false", "there is no velocity to centre"},
    {"train.pyramid", "[1]"},
    {"train.engine", "\"learn\" or \"auto\""},
    {"network.passes", "[1]"},
    {"train.refine", "0", "only velocities are refined"}};

// Whether `text` is one of "A or B".
bool names(std::string_view values, std::string_view text) {
  constexpr std::string_view kOr = " or ";
  for (;;) {
    const auto end = values.find(kOr);
    if (values.substr(0, end) == text) return true;
    if (end == std::string_view::npos) return false;
    values.remove_prefix(end + kOr.size());
  }
}

// why: "loss.energy is "he"".
void require(const Config& config, const std::string& why, std::span<const Requirement> asks) {
  for (const Requirement& asked : asks)
    visit_settings(config, [&](const Setting& setting, const auto& value) {
      if (setting.key != asked.key) return;
      const std::string text = value_text(value);
      if (names(asked.values, text)) return;
      fail_usage("{} and {} is {}, expected {}{}{}", why, asked.key, text, asked.values,
                 asked.why.empty() ? "" : ": ", asked.why);
    });
}

// A weight of a term that the energy does not have would change nothing.
void require_weights(const Config& config, const std::string& why, std::string_view weights) {
  const LossConfig& loss = config.loss;
  const auto known = split(weights, ' ');
  const std::pair<const char*, double> all[] = {
      {"loss.volume", loss.volume},       {"loss.gamma1", loss.gamma1},
      {"loss.gamma2", loss.gamma2},       {"loss.supervise", loss.supervise},
      {"loss.magnitude", loss.magnitude}, {"loss.middle", loss.middle},
      {"loss.cycle", loss.cycle}};
  for (const auto& [key, weight] : all)
    if (weight > 0 && std::ranges::find(known, key) == known.end())
      fail_usage("{} and {} is {}, expected 0: this energy has no such term", why, key,
                 value_text(weight));
}

void validate_method(const Config& config) {
  const auto is = [](const char* key, const auto& value) {
    return fmt::format("{} is {}", key, value_text(value));
  };
  const Engine engine = config.train.engine;
  if (const MethodDescription* method = find_method(engine))
    require(config, is("train.engine", engine), method->asks);
  else if (config.network.flow != FlowKind::velocity)
    require(config, is("network.flow", config.network.flow), kDisplacementAsks);
  const EnergyKind energy = config.loss.energy;
  const MethodDescription& method = *find_method(energy);
  require(config, is("loss.energy", energy), method.asks);
  require_weights(config, is("loss.energy", energy), method.weights);
}

void validate_times(const TrainConfig& train) {
  if (train.patience > 0 && train.validate_every == 0)
    fail_usage(
        "train.patience is {} and train.validate_every is 0, but patience counts validations: "
        "expected train.validate_every to be at least 1",
        train.patience);
}

}  // namespace

void validate(const Config& config) {
  visit_settings(config,
                 [](const Setting& setting, const auto& value) { validate_value(setting, value); });
  validate_pairs(config);
  validate_energy(config.loss);
  validate_published(config);
  validate_atlas(config.atlas);
  validate_stages(config);
  validate_engine(config);
  validate_method(config);
  validate_times(config.train);
}

}  // namespace aladdin
