#include "aladdin/config/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/config/validate.h"
#include "aladdin/config/write.h"
#include "aladdin/core/error.h"

namespace aladdin {

// configs/default.toml is what to_toml writes of the defaults: after a change of config.h or visit.h,
// put the text that this prints there.
TEST(Presets, TheFileOfTheDefaultsIsComplete) {
  EXPECT_EQ(std::string(preset_text("default")), to_toml(Config{}));
  EXPECT_TRUE(differences(preset("default"), Config{}).empty());
}

TEST(Presets, AllAreValidAndDifferent) {
  const auto names = preset_names();
  EXPECT_THAT(names, testing::ElementsAre("default", "paper", "reference", "fast", "none", "affine",
                                          "joshi", "absorb", "voxelmorph", "he", "dalca"));
  for (const auto& name : names) EXPECT_NO_THROW(validate(preset(name))) << name;
  for (std::size_t i = 1; i < names.size(); ++i)
    EXPECT_NE(hash_of(preset(names[i])), hash_of(preset(names[i - 1])));
}

TEST(Presets, ReferenceIsThePaperWithThePublishedQuirksAndUnits) {
  std::vector<std::string> keys;
  for (const Difference& d : differences(preset("reference"), preset("paper")))
    keys.push_back(d.key);
  EXPECT_THAT(keys, testing::ElementsAre("network.published", "loss.lambda", "loss.published"));
  EXPECT_EQ(preset("reference").loss.lambda, 1000);
}

// Where ours is more than the paper's, the preset turns it off.
TEST(Presets, ThePaperHasNoneOfOurAdditions) {
  const Config paper = preset("paper");
  EXPECT_EQ(paper.network.passes, std::vector<int>{1});
  EXPECT_EQ(paper.train.pyramid, std::vector<int>{1});
  EXPECT_EQ(paper.train.augment, 0);
  EXPECT_EQ(paper.train.average, 0);
  EXPECT_EQ(paper.train.clip, 0);
  EXPECT_FALSE(paper.atlas.centre);
}

TEST(Presets, AnUnknownNameComesWithTheNearest) {
  try {
    preset("papr");
    FAIL() << "there is no such preset";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'paper'?"));
  }
}

}  // namespace aladdin
