#include "aladdin/train/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/method/atlas.h"
#include "aladdin/method/test_cohort.h"
#include "aladdin/train/teacher.h"

namespace aladdin {
namespace {

using testing::BallCohort;

class TrainerTest : public ::testing::Test {
 protected:
  TrainingData load(const BallCohort& cohort) { return {cohort.write(folder_), at::kCPU}; }
  RunDirectory run(const char* name) const { return {folder_ / name}; }

  testing::TemporaryFolder folder_;
};

TEST_F(TrainerTest, TheLastOfAnOddCohortIsJoinedByTheFirst) {
  const TrainingData data = load({.subjects = 3});
  Config config = testing::small_config();
  config.loss.similarity = SimilarityKind::mse;
  config.train.pyramid = {1};
  config.train.epochs = {1};
  config.train.augment = 0;
  config.train.rate = 1e-12;  // the network stays near zero: pairs are compared where they lie
  Trainer trainer(config, data, run("run"), "");
  EpochSums means;
  trainer.tell = [&](const TrainingNews& news) { means = news.means; };
  trainer.run();
  const auto order = data.order(config.train.seed, 0);
  const auto pair = [&](std::size_t i, std::size_t j) {
    return (data.image(order[i]) - data.image(order[j])).square().mean().item<double>();
  };
  const double expected = (pair(0, 1) + pair(2, 0)) / 2;
  EXPECT_EQ(means.steps, 2);
  EXPECT_NEAR(means.image_pairs, expected, 0.01 * expected);
}

// The energy 10 mean (A - I)^2 pulls a voxel of A towards the mean image by 20 / voxels of the distance.
TEST_F(TrainerTest, TheStepOfALearnedAtlasDoesNotDependOnTheNumberOfVoxels) {
  const TrainingData data = load({.subjects = 4});
  Config config = testing::small_config();
  config.loss.similarity = SimilarityKind::mse;
  config.loss.sim = 10;
  config.loss.gamma2 = 0;
  config.atlas.update = AtlasRule::learned;
  config.atlas.init = "medoid";
  config.atlas.centre = false;
  config.train.pyramid = {1};
  config.train.epochs = {2};
  config.train.augment = 0;
  config.train.rate = 1e-12;  // nothing moves
  Trainer trainer(config, data, run("run"), "");
  const at::Tensor first = initial_atlas("medoid", data);
  at::Tensor second;
  trainer.tell = [&](const TrainingNews& news) {
    if (!second.defined()) second = news.state->atlas.clone();
  };
  trainer.run();
  at::Tensor mean = at::zeros_like(first);
  for (std::size_t i = 0; i < 4; ++i) mean += data.image(i) / 4;
  const double part = 20 * config.atlas.rate / (80 * 192 * 192);
  const at::Tensor expected = first + part * (mean - first);
  EXPECT_LT((second - expected).abs().max().item<double>(), 0.02 * part);
  EXPECT_GT((second - first).abs().max().item<double>(), 0.1 * part);
}

TEST_F(TrainerTest, ASmallCohortGoesRoundSeveralTimesAnEpoch) {
  const TrainingData data = load({.subjects = 3});
  Config config = testing::small_config();
  config.train.pyramid = {1};
  config.train.epochs = {1};
  config.train.least = 8;
  Trainer trainer(config, data, run("run"), "");
  EXPECT_EQ(trainer.run().position.steps, 5);  // three rounds of three, two a step
  config.train.engine = Engine::optimise;
  Trainer optimiser(config, data, run("optimised"), "");
  EXPECT_EQ(optimiser.run().position.steps, 1);  // all of them side by side
}

TEST_F(TrainerTest, ResumedIsUninterrupted) {
  const TrainingData data = load({.subjects = 5, .splits = {"val"}});
  for (const auto& [engine, update] : {std::pair{Engine::learn, AtlasRule::forward},
                                       {Engine::learn, AtlasRule::learned},
                                       {Engine::learn, AtlasRule::adam},
                                       {Engine::optimise, AtlasRule::forward},
                                       {Engine::joshi, AtlasRule::backward},
                                       {Engine::absorb, AtlasRule::backward}}) {
    Config config = testing::small_config();
    config.train.engine = engine;
    config.atlas.update = update;
    if (config.train.fits()) {
      config.train.pyramid = {1};
      config.train.epochs = {4};
      config.train.batch = 1;
      config.network.flow = FlowKind::image;
      config.network.velocity_scale = 1;
      config.loss.energy = EnergyKind::voxelmorph;
      config.atlas.centre = false;
      config.demons.iterations = 5;
    }
    config.train.checkpoint_minutes = 0;  // after every step
    Trainer whole(config, data, run("whole"), "");
    const TrainingState& expected = whole.run();
    // Killed at the end of an epoch, in either stage: the checkpoint is the one after its last step.
    for (const int kill : {1, 3}) {
      const RunDirectory folder = run("killed");
      std::filesystem::remove_all(folder.folder);
      struct Killed {};
      Trainer first(config, data, folder, "");
      first.tell = [&](const TrainingNews& news) {
        if (news.state->position.epochs == kill) throw Killed();
      };
      EXPECT_THROW(first.run(), Killed);
      Trainer second(config, data, folder, "");
      second.resume();
      const TrainingState& found = second.run();
      EXPECT_TRUE(found.atlas.equal(expected.atlas)) << name_of(engine) << name_of(update) << kill;
      for (const std::size_t subject : {0, 1})
        EXPECT_TRUE(found.learner->registered(found.atlas, subject, 1)
                        .equal(expected.learner->registered(expected.atlas, subject, 1)));
      EXPECT_EQ(found.metrics, expected.metrics);
    }
    std::filesystem::remove_all(run("whole").folder);
  }
}

TEST_F(TrainerTest, APupilHasTheAtlasOfItsTeacherAndComesNearItsVelocities) {
  const TrainingData data = load({.subjects = 4});
  Config config = testing::small_config();
  config.network.width = 8;
  config.network.passes = {1};
  config.loss.lambda = config.loss.volume = config.loss.gamma2 = 0;
  config.train.teach = 1;
  config.train.pyramid = {1};
  config.train.epochs = {250};
  config.train.rate = 1e-2;
  config.train.average = 0;
  config.train.augment = 0;
  Trainer teacher(teacher_of(config), data, teacher_folder(run("run")), "");
  const TrainingState& known = teacher.run();
  config.loss.sim = 0;  // from here on nothing but the teacher
  Trainer trainer(config, data, run("run"), "");
  trainer.be_taught(known);
  const TrainingState& pupil = trainer.run();
  EXPECT_TRUE(pupil.atlas.equal(known.atlas));
  EXPECT_GT(pupil.position.epochs, known.position.epochs);
  EXPECT_TRUE(pupil.metrics.starts_with(known.metrics));
  double taught = 0, left = 0;
  for (const std::size_t subject : data.training()) {
    const at::Tensor v = known.learner->registered(known.atlas, subject, 1);
    taught += v.square().mean().item<double>();
    left += (pupil.learner->registered(pupil.atlas, subject, 1) - v).square().mean().item<double>();
  }
  EXPECT_LT(left, 0.5 * taught);
}

TEST_F(TrainerTest, AResumedPupilIsUninterrupted) {
  const TrainingData data = load({.subjects = 4, .splits = {"val"}});
  Config config = testing::small_config();
  config.train.teach = 1;
  config.train.checkpoint_minutes = 0;
  Trainer teacher(teacher_of(config), data, teacher_folder(run("whole")), "");
  const TrainingState& known = teacher.run();
  Trainer whole(config, data, run("whole"), "");
  whole.be_taught(known);
  const TrainingState& expected = whole.run();
  struct Killed {};
  Trainer first(config, data, run("killed"), "");
  first.be_taught(known);
  int epochs = 0;
  first.tell = [&](const TrainingNews&) {
    if (++epochs == 2) throw Killed();
  };
  EXPECT_THROW(first.run(), Killed);
  Trainer second(config, data, run("killed"), "");
  second.resume();
  second.be_taught(known);
  const TrainingState& found = second.run();
  EXPECT_EQ(found.metrics, expected.metrics);
  for (const std::size_t subject : data.training())
    EXPECT_TRUE(found.learner->registered(found.atlas, subject, 1)
                    .equal(expected.learner->registered(expected.atlas, subject, 1)));
}

TEST_F(TrainerTest, StopsWhenValidationsBringNothing) {
  const TrainingData data = load({.subjects = 3, .splits = {"val"}});
  Config config = testing::small_config();
  config.train.pyramid = {1};
  config.train.epochs = {200};
  config.train.rate = 1e-12;
  config.train.last = 0.99;
  config.train.validate_every = 1;
  config.train.patience = 3;
  Trainer trainer(config, data, run("run"), "");
  const TrainingState& state = trainer.run();
  EXPECT_TRUE(state.position.finished);
  EXPECT_LT(state.position.epochs, 100);
  EXPECT_GE(state.position.epochs, 4);
}

TEST_F(TrainerTest, AFixedAtlasStays) {
  const TrainingData data = load({.subjects = 4});
  for (const AtlasRule update : {AtlasRule::fixed, AtlasRule::backward}) {
    Config config = testing::small_config();
    config.atlas.update = update;
    config.atlas.init = "medoid";
    config.atlas.centre = false;
    Trainer trainer(config, data, run(name_of(update).data()), "");
    const TrainingState& state = trainer.run();
    EXPECT_EQ(state.atlas.equal(state.first_atlas), update == AtlasRule::fixed);
  }
}

TEST_F(TrainerTest, TheAtlasStaysInTheLastPart) {
  const TrainingData data = load({.subjects = 4});
  Config config = testing::small_config();
  config.train.pyramid = {1};
  config.train.epochs = {4};
  config.train.last = 0.5;
  Trainer trainer(config, data, run("run"), "");
  std::vector<at::Tensor> atlases;
  trainer.tell = [&](const TrainingNews& news) { atlases.push_back(news.state->atlas.clone()); };
  const TrainingState& state = trainer.run();
  ASSERT_EQ(atlases.size(), 4U);
  EXPECT_TRUE(atlases[1].equal(atlases[3]));
  EXPECT_FALSE(state.first_atlas.equal(atlases[0]));
}

}  // namespace
}  // namespace aladdin
