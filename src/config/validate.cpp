#include "aladdin/config/validate.h"

#include <algorithm>
#include <type_traits>
#include <utility>

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
    const std::vector<std::string> choices(setting.constraint.choices.begin(),
                                           setting.constraint.choices.end());
    throw Error(fmt::format("{} is {}, expected {}", setting.key, value_text(value), expected),
                ExitCode::usage)
        .hint(did_you_mean(value, choices));
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
  if (loss.regulariser != "bending")
    fail_usage("loss.regulariser is {} and loss.published is on, expected \"bending\"",
               value_text(loss.regulariser));
  if (loss.supervise > 0)
    fail_usage("loss.supervise is {} and loss.published is on, expected 0: it knows no labels",
               value_text(loss.supervise));
}

void validate_atlas(const AtlasConfig& atlas) {
  if (atlas.update != "fixed" || !atlas.centre) return;
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
}

// A displacement has no velocity to centre, to refine or to start another pass from.
void validate_displacement(const Config& config) {
  const auto& train = config.train;
  if (config.network.flow == "velocity" && !train.fits()) return;
  const std::string why = train.fits()
                              ? fmt::format("train.engine is {}", value_text(train.engine))
                              : fmt::format("network.flow is {}", value_text(config.network.flow));
  const std::vector<int> one{1};
  const auto expect = [&](bool holds, std::string_view key, const std::string& value,
                          std::string_view expected) {
    if (!holds) fail_usage("{} and {} is {}, expected {}", why, key, value, expected);
  };
  expect(!config.atlas.centre, "atlas.centre", "true", "false: there is no velocity to centre");
  expect(train.pyramid == one, "train.pyramid", value_text(train.pyramid), "[1]");
  expect(!train.optimises(), "train.engine", value_text(train.engine), "\"learn\"");
  if (!train.fits()) {
    expect(config.network.passes == one, "network.passes", value_text(config.network.passes),
           "[1]");
    expect(train.refine == 0, "train.refine", value_text(train.refine),
           "0: only velocities are refined");
    return;
  }
  expect(config.network.flow == "image", "network.flow", value_text(config.network.flow),
         "\"image\"");
  expect(config.network.velocity_scale == 1, "network.velocity_scale",
         value_text(config.network.velocity_scale), "1");
  expect(config.loss.energy == "voxelmorph", "loss.energy", value_text(config.loss.energy),
         "\"voxelmorph\", which measures in atlas space");
  expect(train.batch == 1, "train.batch", value_text(train.batch), "1");
}

void validate_method(const Config& config) {
  const LossConfig& loss = config.loss;
  if (loss.energy == "aladdin") return;
  const std::string why = fmt::format("loss.energy is {}", value_text(loss.energy));
  if (loss.published) fail_usage("{} and loss.published is on, expected aladdin", why);
  if (loss.supervise > 0)
    fail_usage("{} and loss.supervise is {}, expected 0: it knows no labels", why,
               value_text(loss.supervise));
  const bool pairs = loss.gamma1 > 0 || loss.gamma2 > 0;
  if (loss.energy != "dalca" && pairs)
    fail_usage("{} and loss.gamma1, loss.gamma2 are {}, {}, expected 0: it has no such pairs", why,
               value_text(loss.gamma1), value_text(loss.gamma2));
  if (loss.energy == "dalca" && config.network.flow != "velocity")
    fail_usage("{} and network.flow is {}, expected \"velocity\"", why,
               value_text(config.network.flow));
  if (loss.energy == "he" && config.network.flow != "image")
    fail_usage("{} and network.flow is {}, expected \"image\"", why,
               value_text(config.network.flow));
  if (loss.energy == "voxelmorph" && config.network.flow == "velocity")
    fail_usage("{} and network.flow is \"velocity\", expected \"image\" or \"atlas\"", why);
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
  validate_displacement(config);
  validate_method(config);
  validate_times(config.train);
}

}  // namespace aladdin
