#include "aladdin/config/methods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "aladdin/config/preset_files.h"
#include "aladdin/config/presets.h"
#include "aladdin/config/read.h"
#include "aladdin/config/validate.h"
#include "aladdin/config/visit.h"
#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

using testing::HasSubstr;

std::set<std::string> all_keys() {
  std::set<std::string> keys;
  const Config config;
  visit_settings(
      config, [&](const Setting& setting, const auto&) { keys.insert(std::string(setting.key)); });
  return keys;
}

std::string complaint(const std::string& preset_name, std::initializer_list<const char*> settings) {
  Config config = preset(preset_name);
  for (const char* setting : settings) apply_setting(config, setting);
  try {
    validate(config);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    return error.what();
  }
  return "valid";
}

}  // namespace

TEST(Methods, EveryPresetBelongsToOneAndIsItsOwn) {
  std::set<std::string> seen;
  for (const MethodDescription& method : kMethods)
    for (const auto& name : split(method.presets, ' ')) {
      EXPECT_TRUE(seen.insert(name).second) << name;
      EXPECT_EQ(method_of(preset(name)).name, method.name) << name;
    }
  EXPECT_EQ(seen.size(), preset_files().size()) << "a file in configs/ that is no method's";
}

TEST(Methods, EveryEnergyAndEveryOtherEngineIsOne) {
  for (const auto& row : kEnergies) EXPECT_EQ(find_method(row.value)->name, row.name);
  for (const auto& row : kEngines) {
    const bool descends = row.value == Engine::automatic || row.value == Engine::learn ||
                          row.value == Engine::optimise;
    EXPECT_EQ(find_method(row.value) == nullptr, descends) << row.name;
    if (!descends) {
      EXPECT_EQ(find_method(row.value)->name, row.name);
    }
  }
}

TEST(Methods, AskOnlyForSettingsThatExist) {
  const auto keys = all_keys();
  for (const MethodDescription& method : kMethods) {
    for (const Requirement& asked : method.asks)
      EXPECT_TRUE(keys.contains(std::string(asked.key))) << asked.key;
    for (const auto& key : split(method.weights, ' ')) {
      EXPECT_TRUE(key.empty() || keys.contains(key)) << key;
    }
  }
}

// A preset with a setting that its method asks about is refused whenever that is another.
TEST(Methods, WhatTheyAskIsChecked) {
  EXPECT_EQ(complaint("joshi", {"network.velocity_scale=2"}),
            "train.engine is \"joshi\" and network.velocity_scale is 2, expected 1");
  EXPECT_EQ(complaint("absorb", {"atlas.centre=true"}),
            "train.engine is \"absorb\" and atlas.centre is true, expected false: there is no "
            "velocity to centre");
  EXPECT_EQ(complaint("he", {"network.flow=atlas"}),
            "loss.energy is \"he\" and network.flow is \"atlas\", expected \"image\"");
  EXPECT_EQ(complaint("voxelmorph", {"network.flow=velocity"}),
            "loss.energy is \"voxelmorph\" and network.flow is \"velocity\", expected \"image\" or "
            "\"atlas\"");
  EXPECT_EQ(complaint("voxelmorph", {"network.flow=atlas"}), "valid");
  EXPECT_EQ(complaint("voxelmorph", {"train.refine=3"}),
            "network.flow is \"image\" and train.refine is 3, expected 0: only velocities are "
            "refined");
  EXPECT_THAT(complaint("dalca", {"loss.published=true"}), HasSubstr("expected false"));
}

TEST(Methods, AWeightThatAnEnergyDoesNotHaveIsRefused) {
  EXPECT_EQ(
      complaint("he", {"loss.gamma1=0.5"}),
      "loss.energy is \"he\" and loss.gamma1 is 0.5, expected 0: this energy has no such term");
  EXPECT_THAT(complaint("default", {"loss.cycle=1"}), HasSubstr("no such term"));
  EXPECT_THAT(complaint("dalca", {"loss.supervise=1"}), HasSubstr("no such term"));
  EXPECT_EQ(complaint("dalca", {"loss.gamma1=1", "loss.gamma2=1"}), "valid");
}

TEST(Methods, AutoIsChosenByTheCohort) {
  const auto chosen = [](std::initializer_list<const char*> settings, std::size_t subjects) {
    Config config;
    for (const char* setting : settings) apply_setting(config, setting);
    choose_engine(config, subjects);
    return config.train.engine;
  };
  EXPECT_EQ(chosen({}, kFewSubjects), Engine::optimise);
  EXPECT_EQ(chosen({}, kFewSubjects + 1), Engine::learn);
  EXPECT_EQ(chosen({"loss.published=true"}, 3), Engine::learn);
  EXPECT_EQ(chosen({"network.flow=image"}, 3), Engine::learn);
  EXPECT_EQ(chosen({"train.engine=joshi"}, 3), Engine::joshi);
}

TEST(Methods, ANetworkIsTaughtWhatTheOptimiserCanDo) {
  const auto taught = [](std::initializer_list<const char*> settings, std::size_t subjects) {
    Config config;
    config.train.engine = Engine::learn;
    for (const char* setting : settings) apply_setting(config, setting);
    choose_engine(config, subjects);
    return config.train.is_taught();
  };
  EXPECT_TRUE(taught({}, kMostTaught));
  EXPECT_TRUE(taught({"loss.supervise=1"}, 60));
  EXPECT_FALSE(taught({}, kMostTaught + 1));
  EXPECT_FALSE(taught({"train.teach=0"}, 60));
  for (const char* setting :
       {"loss.published=true", "network.published=true", "loss.energy=dalca", "network.flow=image",
        "atlas.update=learned", "atlas.update=adam", "train.engine=optimise"})
    EXPECT_FALSE(taught({setting}, 60)) << setting;
}

TEST(Methods, TheReferenceHasALineForEach) {
  const std::string text = methods_reference();
  for (const MethodDescription& method : kMethods)
    EXPECT_THAT(text, HasSubstr(fmt::format("| `{}.cpp` |", method.name)));
  EXPECT_THAT(text, HasSubstr("| A, B | `none`, `affine` |"));
}

}  // namespace aladdin
