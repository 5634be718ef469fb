#include "aladdin/config/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "aladdin/config/write.h"
#include "aladdin/core/error.h"

namespace aladdin {
namespace {

using testing::HasSubstr;

std::string usage_error(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage) << error.what();
    return error.what();
  }
  return "no error";
}

std::string toml_error(const std::string& text) {
  return usage_error([&] {
    Config config;
    apply_toml(config, text, "my.toml");
  });
}

std::string setting_error(const std::string& setting) {
  return usage_error([&] {
    Config config;
    apply_setting(config, setting);
  });
}

}  // namespace

TEST(ReadConfig, SetsWhatItNamesAndLeavesTheRest) {
  Config config;
  config.loss.lambda = 7;
  apply_toml(config,
             "train.batch = 8\n[loss]\nsimilarity = 'ncc'\n[network]\npasses = [2, 1]\n"
             "[atlas]\ncentre = false\n",
             "my.toml");
  EXPECT_EQ(config.train.batch, 8);
  EXPECT_EQ(config.loss.similarity, SimilarityKind::ncc);
  EXPECT_EQ(config.network.passes, (std::vector<int>{2, 1}));
  EXPECT_FALSE(config.atlas.centre);
  EXPECT_EQ(config.loss.lambda, 7);
  EXPECT_EQ(differences(config, Config{}).size(), 5u);
}

TEST(ReadConfig, AnIntegerIsANumberButNotTheOtherWayRound) {
  Config config;
  apply_toml(config, "[train]\nrate = 1\nmilestones = [0.25, 0.5]", "my.toml");
  EXPECT_EQ(config.train.rate, 1.0);
  EXPECT_EQ(config.train.milestones, (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(toml_error("[train]\nbatch = 2.0"),
            "my.toml:2:1: train.batch is the number 2.0, expected an integer");
}

TEST(ReadConfig, SaysWhatIsOfTheWrongType) {
  EXPECT_EQ(toml_error("[train]\nrate = \"fast\""),
            "my.toml:2:1: train.rate is the string \"fast\", expected a finite number");
  EXPECT_THAT(toml_error("[train]\nrate = nan"), HasSubstr("expected a finite number"));
  EXPECT_THAT(toml_error("[train]\nbatch = 4294967297"), HasSubstr("expected an integer"));
  EXPECT_THAT(toml_error("[train]\nseed = -1"), HasSubstr("expected an integer of at least 0"));
  EXPECT_THAT(toml_error("[train]\npyramid = [4, 'two']"),
              HasSubstr("train.pyramid is a list with the string \"two\", expected a list of int"));
  EXPECT_THAT(toml_error("[train]\npyramid = 4"), HasSubstr("is the integer 4"));
  EXPECT_THAT(toml_error("[train.rate]\nx = 1"), HasSubstr("train.rate is a table"));
  EXPECT_THAT(toml_error("[atlas]\ncentre = 1"), HasSubstr("expected true or false"));
  EXPECT_THAT(toml_error("[atlas]\ninit = 2020-01-01"), HasSubstr("a date or a time"));
  EXPECT_THAT(toml_error("train = 3"), HasSubstr("expected a section [train]"));
}

TEST(ReadConfig, AnUnknownNameComesWithTheNearest) {
  EXPECT_EQ(toml_error("[train]\nbatch = 2\nrat = 1"),
            "my.toml:3:1: there is no setting 'train.rat'; did you mean 'train.rate'?");
  EXPECT_THAT(toml_error("[trian]\nrate = 1"), HasSubstr("did you mean 'train'?"));
  EXPECT_THAT(toml_error("rate = 1"), HasSubstr("did you mean 'atlas.rate' or 'train.rate'?"));
  EXPECT_THAT(setting_error("train.lambda=1"), HasSubstr("did you mean 'loss.lambda'?"));
  EXPECT_THAT(setting_error("tran.rate=1"), HasSubstr("did you mean 'train.rate'?"));
  EXPECT_THAT(setting_error("epoch=1"), HasSubstr("did you mean 'train.epochs'?"));
  EXPECT_THAT(setting_error("=1"), HasSubstr("there is no setting ''"));
  EXPECT_THAT(setting_error("quite.something=1"),
              HasSubstr("the sections are network, loss, atlas, train"));
}

// As everywhere: nothing below takes a name that it does not know for another.
TEST(ReadConfig, AnUnknownNameOfAValueIsRefusedWithTheNearest) {
  EXPECT_EQ(toml_error("[loss]\nenergy = \"dalka\""),
            "my.toml:2:1: loss.energy is \"dalka\", expected aladdin, voxelmorph, he or dalca; did "
            "you mean 'dalca'?");
  EXPECT_THAT(toml_error("[loss]\nsimilarity = 3"), HasSubstr("expected a string in quotes"));
  for (const char* setting : {"network.flow=x", "loss.regulariser=x", "atlas.update=x",
                              "train.engine=x", "train.schedule=x"})
    EXPECT_THAT(setting_error(setting), HasSubstr("is \"x\", expected ")) << setting;
}

TEST(ReadConfig, SyntaxErrorsSayWhere) {
  EXPECT_THAT(toml_error("[train]\nrate = = 1\n"), HasSubstr("my.toml:2:8: this is not TOML: "));
  EXPECT_THAT(toml_error("[train]\nrate = 1\nrate = 2\n"), HasSubstr("my.toml:3:"));
  EXPECT_THAT(toml_error("\x01\xFF"), HasSubstr("my.toml:1:"));
}

TEST(ReadConfig, AFailedCallChangesNothing) {
  Config config;
  EXPECT_THROW(apply_toml(config, "[loss]\nsim = 9\n[train]\nrat = 1", "my.toml"), Error);
  EXPECT_THROW(apply_setting(config, "train.batch=x"), Error);
  EXPECT_TRUE(differences(config, Config{}).empty());
}

TEST(ReadConfig, ReadsAFileAndNamesTheOneThatIsMissing) {
  const Path path = Path(testing::TempDir()) / "aladdin_read_config.toml";
  write_text(path, "[train]\nminutes = 20\n");
  EXPECT_EQ(read_config(path).train.minutes, 20);
  std::filesystem::remove(path);
  try {
    read_config(path);
    FAIL() << "a missing file was read";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("aladdin_read_config.toml"));
  }
}

TEST(ApplySetting, TakesTomlBareWordsAndBareLists) {
  Config config;
  for (const char* setting :
       {"train.rate=1e-4", " train.batch = 4 ", "loss.similarity=ncc", "atlas.init=\"a b.nii.gz\"",
        "train.pyramid=[2, 1]", "train.epochs=5,1", "atlas.centre=false", "train.seed=12"})
    apply_setting(config, setting);
  EXPECT_EQ(config.train.rate, 1e-4);
  EXPECT_EQ(config.train.batch, 4);
  EXPECT_EQ(config.loss.similarity, SimilarityKind::ncc);
  EXPECT_EQ(config.atlas.init, "a b.nii.gz");
  EXPECT_EQ(config.train.pyramid, (std::vector<int>{2, 1}));
  EXPECT_EQ(config.train.epochs, (std::vector<int>{5, 1}));
  EXPECT_FALSE(config.atlas.centre);
  EXPECT_EQ(config.train.seed, 12u);
}

TEST(ApplySetting, ABareWordIsTakenAsItStands) {
  Config config;
  for (const std::string word : {"2020", "true", "a=b", "../x y#1.nii.gz", "C:\\new"}) {
    apply_setting(config, "atlas.init=" + word);
    EXPECT_EQ(config.atlas.init, word);
  }
}

TEST(ApplySetting, SaysWhatItCannotRead) {
  EXPECT_THAT(setting_error("train.rate"), HasSubstr("'train.rate' has no '='"));
  EXPECT_EQ(setting_error("train.rate=fast"), "train.rate is 'fast', expected a finite number");
  EXPECT_EQ(setting_error("train.batch=2.5"), "train.batch is '2.5', expected an integer");
  EXPECT_EQ(setting_error("train.batch="), "train.batch has no value, expected an integer");
  EXPECT_THAT(setting_error("train.pyramid=4;2"), HasSubstr("expected a list of integers"));
  EXPECT_THAT(setting_error("train.batch=2\nvalue2 = 3"), HasSubstr("expected an integer"));
}

}  // namespace aladdin
