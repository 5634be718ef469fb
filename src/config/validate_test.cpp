#include "aladdin/config/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/config/read.h"
#include "aladdin/core/error.h"

namespace aladdin {
namespace {

using testing::HasSubstr;

// What validate() says about the defaults with these settings on top.
std::string complaint(std::initializer_list<const char*> settings) {
  Config config;
  try {
    for (const char* setting : settings) apply_setting(config, setting);
    validate(config);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    return error.what();
  }
  return "valid";
}

}  // namespace

TEST(ValidateConfig, NamesSettingValueAndConstraint) {
  EXPECT_EQ(complaint({"loss.window=4"}), "loss.window is 4, expected odd, 3 to 99");
  EXPECT_EQ(complaint({"train.rate=0"}), "train.rate is 0.0, expected more than 0");
  EXPECT_EQ(complaint({"train.batch=0"}), "train.batch is 0, expected 1 to 1024");
  EXPECT_EQ(complaint({"train.pyramid=4,2"}),
            "train.pyramid is [4, 2], expected descending powers of two, at most 64, the last 1");
  EXPECT_THAT(complaint({"network.passes=1,2,1"}), HasSubstr("network.passes is [1, 2, 1]"));
  EXPECT_THAT(complaint({"train.milestones=0.8,0.5"}), HasSubstr("ascending"));
  EXPECT_THAT(complaint({"train.epochs=1,0,1"}), HasSubstr("expected 1 to 1000000"));
  EXPECT_THAT(complaint({"train.average=1"}), HasSubstr("less than 1"));
  EXPECT_THAT(complaint({"network.velocity_scale=3"}), HasSubstr("expected 1 to 2"));
  EXPECT_EQ(complaint({"loss.similarity=lnc"}),
            "loss.similarity is \"lnc\", expected mse, ncc, lncc or mi; did you mean 'lncc'?");
  EXPECT_THAT(complaint({"atlas.init=\"\""}), HasSubstr("expected mean, medoid, or an image file"));
}

TEST(ValidateConfig, NumbersThatTomlCannotHoldAreRefused) {
  Config config;
  config.train.seed = ~std::uint64_t{0};
  EXPECT_THROW(validate(config), Error);
  config = {};
  config.loss.lambda = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(validate(config), Error);
}

TEST(ValidateConfig, AFixedAtlasIsNotCentred) {
  EXPECT_THAT(complaint({"atlas.update=fixed"}), HasSubstr("a fixed atlas is not moved"));
  EXPECT_EQ(complaint({"atlas.update=fixed", "atlas.centre=false"}), "valid");
}

TEST(ValidateConfig, PairsNeedABatchOfTwo) {
  EXPECT_THAT(
      complaint({"train.batch=1", "loss.gamma1=0", "loss.gamma2=1"}),
      HasSubstr("loss.gamma2 is 1.0 and train.batch is 1, but pairs need a batch of at least 2"));
  EXPECT_THAT(complaint({"train.batch=1", "loss.gamma1=3", "loss.gamma2=0"}),
              HasSubstr("loss.gamma1 is 3.0"));
  EXPECT_EQ(complaint({"train.batch=1", "loss.gamma1=0", "loss.gamma2=0"}), "valid");
  EXPECT_EQ(complaint({"train.batch=2", "loss.gamma2=1"}), "valid");
}

TEST(ValidateConfig, ThePublishedEnergyIsRefusedWhatItDoesNotKnow) {
  EXPECT_EQ(complaint({"loss.published=true"}), "valid");
  EXPECT_THAT(complaint({"loss.published=true", "train.batch=3"}),
              HasSubstr("train.batch is 3 and loss.published is on"));
  EXPECT_EQ(complaint({"train.batch=3"}), "valid");
  EXPECT_THAT(complaint({"loss.published=true", "loss.regulariser=gradient"}),
              HasSubstr("expected \"bending\""));
  EXPECT_THAT(complaint({"loss.published=true", "loss.supervise=1"}), HasSubstr("expected 0"));
}

TEST(ValidateConfig, EveryStageHasItsShare) {
  EXPECT_THAT(complaint({"train.pyramid=2,1", "train.epochs=1,2,3"}),
              HasSubstr("train.epochs has 3 numbers and train.pyramid has 2 stages"));
  EXPECT_EQ(complaint({"train.pyramid=2,1", "train.epochs=1,3"}), "valid");
}

TEST(ValidateConfig, SomethingDrawsTheImagesTogether) {
  EXPECT_THAT(complaint({"loss.sim=0", "loss.gamma1=0", "loss.gamma2=0", "loss.supervise=0"}),
              HasSubstr("are all 0"));
  EXPECT_EQ(complaint({"loss.sim=0", "loss.gamma2=0", "loss.supervise=1"}), "valid");
}

TEST(ValidateConfig, PatienceNeedsValidations) {
  EXPECT_THAT(complaint({"train.patience=2", "train.validate_every=0"}),
              HasSubstr("patience counts validations"));
  EXPECT_EQ(complaint({"train.patience=2", "train.validate_every=1"}), "valid");
}

}  // namespace aladdin
