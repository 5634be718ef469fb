#include "aladdin/config/write.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "aladdin/config/read.h"
#include "aladdin/config/reference.h"
#include "aladdin/config/value.h"
#include "aladdin/config/visit.h"
#include "aladdin/core/rng.h"

namespace aladdin {
namespace {

double any_double(Rng& rng) {
  for (;;) {
    const double value = std::bit_cast<double>(rng.bits());
    if (std::isfinite(value)) return value;
  }
}

void scramble(Rng&, bool& value) { value = !value; }
void scramble(Rng& rng, int& value) { value = static_cast<int>(rng.bits()); }
void scramble(Rng& rng, std::uint64_t& value) { value = rng.bits() >> 1; }
void scramble(Rng& rng, double& value) { value = any_double(rng); }
void scramble(Rng& rng, std::string& value) {
  value = "q\"b\\s\n\t\x7F é " + std::to_string(rng.bits());
}
// Another one of its names.
template <Choice Enum>
void scramble(Rng& rng, Enum& value) {
  const auto table = table_of(value);
  const Enum before = value;
  while (value == before) value = table[rng.bits() % table.size()].value;
}
template <class Number>
void scramble(Rng& rng, std::vector<Number>& values) {
  values.resize(rng.bits() % 4);
  for (Number& value : values) scramble(rng, value);
  values.push_back(0);
}

}  // namespace

TEST(WriteConfig, ReadBackIsTheSameToTheBit) {
  Rng rng(3, 0);
  for (int round = 0; round < 50; ++round) {
    Config config, again;
    visit_settings(config, [&](const Setting&, auto& value) { scramble(rng, value); });
    apply_toml(again, to_toml(config), "round trip");
    for (const Difference& d : differences(again, config))
      ADD_FAILURE() << d.key << " is " << d.value << ", was " << d.base;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(again.train.rate),
              std::bit_cast<std::uint64_t>(config.train.rate));
    EXPECT_EQ(again.atlas.init, config.atlas.init);
  }
}

TEST(WriteConfig, NumbersKeepTheirType) {
  EXPECT_EQ(value_text(1.0), "1.0");
  EXPECT_EQ(value_text(-0.0), "-0.0");
  EXPECT_EQ(value_text(0.1), "0.1");
  EXPECT_EQ(value_text(std::vector<double>{1, 0.5}), "[1.0, 0.5]");
  EXPECT_EQ(value_text(std::vector<int>{}), "[]");
}

TEST(WriteConfig, EveryKeyIsInAKnownSectionAndThereOnce) {
  std::set<std::string_view> keys;
  const Config config;
  visit_settings(config, [&](const Setting& setting, const auto&) {
    EXPECT_TRUE(keys.insert(setting.key).second) << setting.key;
    EXPECT_FALSE(setting.meaning.empty()) << setting.key;
    EXPECT_TRUE(std::any_of(kSections.begin(), kSections.end(), [&](const Section& section) {
      return section.name == setting.section();
    })) << setting.key;
  });
}

TEST(WriteConfig, TheHashSeesEverySetting) {
  const Config base;
  std::set<std::string> hashes{hash_of(base)};
  std::size_t count = 1;
  visit_settings(base, [&](const Setting& wanted, const auto&) {
    Config changed;
    Rng rng(5, 0);
    visit_settings(changed, [&](const Setting& setting, auto& value) {
      if (setting.key == wanted.key) scramble(rng, value);
    });
    ASSERT_EQ(differences(changed, base).size(), 1u) << wanted.key;
    EXPECT_EQ(differences(changed, base)[0].key, wanted.key);
    EXPECT_TRUE(hashes.insert(hash_of(changed)).second) << wanted.key;
    ++count;
  });
  EXPECT_EQ(hashes.size(), count);
}

TEST(WriteConfig, TheHashDoesNotDependOnTheWayThere) {
  Config set, read;
  apply_setting(set, "train.rate=1e-4");
  apply_toml(read, "[train]\nrate = 0.0001 # slow", "x");
  EXPECT_EQ(hash_of(set), hash_of(read));
  EXPECT_EQ(hash_of(set).size(), 16u);
}

TEST(WriteConfig, DifferencesCarryBothValues) {
  Config config;
  config.train.pyramid = {2, 1};
  const auto found = differences(config, Config{});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].key, "train.pyramid");
  EXPECT_EQ(found[0].value, "[2, 1]");
  EXPECT_EQ(found[0].base, value_text(Config{}.train.pyramid));
}

TEST(ConfigReference, NamesEverySettingWithItsDefault) {
  const std::string text = config_reference();
  const Config config;
  visit_settings(config, [&](const Setting& setting, const auto& value) {
    EXPECT_THAT(text,
                testing::HasSubstr(fmt::format("| `{}` | `{}` |", setting.key, value_text(value))));
  });
  EXPECT_THAT(text, testing::HasSubstr("| setting | default | paper | reference | fast |"));
}

}  // namespace aladdin
