#include "aladdin/method/atlas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/method/test_cohort.h"

namespace aladdin {
namespace {

using ::testing::HasSubstr;

double most(const at::Tensor& t) { return t.abs().max().item<double>(); }
at::Tensor inside(const at::Tensor& t) { return t.slice(2, 2, -2).slice(3, 2, -2); }

// u = factor * (x - middle): the Jacobian of id + u is (1 + factor)^2 everywhere.
at::Tensor stretch(double factor, int64_t size = 11) {
  const at::Tensor line = (at::arange(size, at::kFloat) - double(size / 2)) * factor;
  return at::stack(
             {line.view({1, size}).expand({size, size}), line.view({size, 1}).expand({size, size})})
      .unsqueeze(0);
}

AtlasConfig atlas_config(AtlasRule update) {
  AtlasConfig config;
  config.update = update;
  return config;
}

TEST(AtlasSum, ForwardWeighsWithTheJacobianBackwardDoesNot) {
  const at::Tensor images = at::cat({at::full({1, 1, 11, 11}, 0.2), at::full({1, 1, 11, 11}, 0.8)});
  const at::Tensor u = at::cat({stretch(0.5), stretch(-0.2)});
  AtlasSum forward(atlas_config(AtlasRule::forward)), backward(atlas_config(AtlasRule::backward));
  forward.add(images, u);
  for (int64_t i = 0; i < 2; ++i)  // streaming
    backward.add(images.narrow(0, i, 1), u.narrow(0, i, 1));
  const double a = 1.5 * 1.5, b = 0.8 * 0.8;
  EXPECT_LT(most(inside(forward.atlas()) - (a * 0.2 + b * 0.8) / (a + b)), 1e-5);
  EXPECT_LT(most(backward.atlas() - 0.5), 1e-6);
  EXPECT_LT(most(forward.variability() - 0.3), 1e-4);
  EXPECT_LT(most(backward.variability() - 0.3), 1e-4);
}

TEST(AtlasSum, ASubjectOfNoWeightLeavesNoTrace) {
  AtlasSum all(atlas_config(AtlasRule::forward)), without(atlas_config(AtlasRule::forward));
  const at::Tensor good = at::rand({1, 1, 11, 11}), lost = at::rand({1, 1, 11, 11});
  all.add(good, stretch(0.1));
  all.add(lost, stretch(-0.1), 0);
  without.add(good, stretch(0.1));
  EXPECT_LT(most(all.atlas() - without.atlas()), 1e-7);
}

TEST(AtlasSum, PullsTheImagesToTheAtlas) {
  const at::Tensor image = at::rand({1, 1, 11, 11});
  at::Tensor u = at::zeros({1, 2, 11, 11});
  u.select(1, 0).fill_(2);  // two voxels along x
  AtlasSum sum(atlas_config(AtlasRule::backward));
  sum.add(image, u);
  EXPECT_LT(most(sum.atlas().slice(3, 0, 9) - image.slice(3, 2, 11)), 1e-6);
}

TEST(AtlasSum, AFoldDoesNotTurnAWeightNegative) {
  at::Tensor fold = stretch(0);
  fold.select(1, 0).copy_(stretch(-2).select(1, 0));  // determinant -1
  AtlasConfig config = atlas_config(AtlasRule::forward);
  config.floor = 0.25;
  AtlasSum sum(config);
  sum.add(at::full({1, 1, 11, 11}, 1.0), fold);
  sum.add(at::full({1, 1, 11, 11}, 0.0), stretch(0));
  EXPECT_LT(most(inside(sum.atlas()) - 0.25 / 1.25), 1e-5);
}

TEST(Atlas, HoldsMeanAndDeviation) {
  const at::Tensor like = at::rand({1, 1, 20, 20}) * 0.2 + 0.4,
                   atlas = at::rand({1, 1, 20, 20}) * 5;
  const at::Tensor held = hold_intensities(atlas, like);
  EXPECT_NEAR(held.mean().item<double>(), like.mean().item<double>(), 1e-5);
  EXPECT_NEAR(held.std().item<double>(), like.std().item<double>(), 1e-5);
  const at::Tensor outlier =
      hold_intensities(at::cat({atlas, at::full({1, 1, 1, 20}, 500.)}, 2), like);
  EXPECT_LE(outlier.max().item<double>(), 1);
  EXPECT_GE(outlier.min().item<double>(), 0);
}

class InitialAtlas : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  TrainingData data_{
      testing::BallCohort{.subjects = 4, .splits = {"train", "train", "train", "val"}}.write(
          folder_),
      at::kCPU};
};

TEST_F(InitialAtlas, MeanMedoidOrFile) {
  const at::Tensor mean = initial_atlas("mean", data_);
  EXPECT_LT(most(mean - (data_.image(0) + data_.image(1) + data_.image(2)) / 3), 1e-6);
  // The balls are in a row: the one in the middle is nearest to the mean.
  EXPECT_TRUE(initial_atlas("medoid", data_).equal(data_.image(1)));
  const at::Tensor file = initial_atlas((folder_ / "s2.nii.gz").string(), data_);
  EXPECT_LT(most(file - data_.image(2)), 1e-4);
}

TEST_F(InitialAtlas, SaysWhatIsWrongWithAFile) {
  EXPECT_THAT(testing::error_of([&] { initial_atlas("nowhere.nii", data_); }),
              HasSubstr("no such file: 'nowhere.nii'"));
  const testing::BallCohort other{.dims = 3};
  write_image(folder_ / "volume.nii.gz", other.image(0));
  EXPECT_THAT(
      testing::error_of([&] { initial_atlas((folder_ / "volume.nii.gz").string(), data_); }),
      HasSubstr("is 3-D, but the cohort is 2-D"));
}

TEST_F(InitialAtlas, AnUpdateRemovesWhatTheCohortHasInCommon) {
  const at::Tensor atlas = initial_atlas("mean", data_);
  for (const int scale : {1, 2}) {
    NetworkConfig network;
    network.velocity_scale = scale;
    const Flow flow(network);
    const Velocities same = [&](std::size_t) {
      return at::full(flow.velocity_sizes(data_.image_shape()), 0.5);
    };
    AtlasConfig config = atlas_config(AtlasRule::forward);
    const AtlasUpdate centred = update_atlas(same, flow, atlas, data_, config);
    EXPECT_LT(most(centred.shift - 0.5), 1e-5);
    EXPECT_NEAR(centred.shift_mm, 0.5 * scale * std::hypot(0.8, 1.1), 1e-4);
    EXPECT_LT(most(centred.atlas - atlas), 1e-5);
    config.centre = false;
    const AtlasUpdate free = update_atlas(same, flow, atlas, data_, config);
    EXPECT_FALSE(free.shift.defined());
    EXPECT_GT(most(free.atlas - atlas), 0.01);
  }
}

}  // namespace
}  // namespace aladdin
