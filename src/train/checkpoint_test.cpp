#include "aladdin/train/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "aladdin/core/log.h"
#include "aladdin/image/test_files.h"
#include "aladdin/method/network_learner.h"
#include "aladdin/method/test_cohort.h"

namespace aladdin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const TrainingData& balls() {
  static const testing::TemporaryFolder folder;
  static const TrainingData data{testing::BallCohort{.subjects = 4}.write(folder), at::kCPU};
  return data;
}

TrainingState make_state(std::uint64_t seed) {
  Config config = testing::small_config();
  config.atlas.update = "learned";
  config.train.seed = seed;
  at::manual_seed(seed);
  return {config, std::make_unique<NetworkLearner>(config, balls()),
          at::rand(balls().image_shape())};
}

// One step of the optimiser.
void learn(TrainingState& state, double rate) {
  state.learner->learn(state.atlas, false,
                       {.subjects = {0, 1}, .stage = 1, .rate = rate, .number = 0});
}

// Those of one layer.
std::vector<float> some_weights(const Learner& learner) {
  Safetensors file;
  learner.save(file);
  for (const auto& [name, entry] : file.entries())
    if (name.starts_with("weight.")) return file.values<float>(name, entry.shape);
  return {};
}

// A state in which nothing has its first value.
TrainingState used_state() {
  TrainingState state = make_state(1);
  learn(state, 0.1);
  state.learner->keep_best();
  learn(state, 0.1);
  state.atlas += 0.25;
  state.atlas_gradient += 0.125;
  state.position = {1, 2, 3, 5, 17, 0.1 + 0.2, false};
  state.sums = {0.1, 1.0 / 3, 3, 4, 5, 6, 7e-300, 8};
  state.metrics = "1,2,\"three\"\n";
  state.best_score = 2.0 / 3;
  state.since_best = 4;
  return state;
}

void expect_same(const TrainingState& a, const TrainingState& b) {
  const auto same = [](const at::Tensor& x, const at::Tensor& y) {
    EXPECT_EQ(x.defined(), y.defined());
    if (x.defined() && y.defined()) {
      EXPECT_TRUE(x.equal(y));
    }
  };
  Safetensors x, y;
  a.learner->save(x);
  b.learner->save(y);
  EXPECT_EQ(x.metadata, y.metadata);
  ASSERT_EQ(x.entries().size(), y.entries().size());
  for (const auto& [name, entry] : x.entries())
    EXPECT_EQ(x.values<float>(name, entry.shape), y.values<float>(name, entry.shape)) << name;
  same(a.atlas, b.atlas);
  same(a.first_atlas, b.first_atlas);
  same(a.atlas_gradient, b.atlas_gradient);
  const Position &p = a.position, &q = b.position;
  EXPECT_EQ(std::tie(p.stage, p.epoch, p.step, p.epochs, p.steps, p.seconds, p.finished),
            std::tie(q.stage, q.epoch, q.step, q.epochs, q.steps, q.seconds, q.finished));
  const EpochSums &s = a.sums, &t = b.sums;
  EXPECT_EQ(
      std::tie(s.energy, s.sim, s.reg, s.atlas_pairs, s.image_pairs, s.dice, s.norm, s.steps),
      std::tie(t.energy, t.sim, t.reg, t.atlas_pairs, t.image_pairs, t.dice, t.norm, t.steps));
  EXPECT_EQ(a.metrics, b.metrics);
  EXPECT_EQ(a.best_score, b.best_score);
  EXPECT_EQ(a.since_best, b.since_best);
}

class CheckpointTest : public ::testing::Test {
 protected:
  CheckpointTest() { log::set_level(log::Level::quiet); }
  ~CheckpointTest() override { log::set_level(log::Level::normal); }

  std::vector<Path> files() const {
    std::vector<Path> out;
    for (const auto& entry : std::filesystem::directory_iterator(run_.checkpoints()))
      out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
  }
  static void damage(const Path& path) {
    std::string bytes = read_text(path);
    bytes[bytes.size() - 5] ^= 1;
    testing::write_bytes(path, bytes);
  }

  testing::TemporaryFolder folder_;
  RunDirectory run_{folder_ / "run"};
};

TEST_F(CheckpointTest, EverythingComesBackToTheBit) {
  const TrainingState state = used_state();
  write_checkpoint(run_, state, "one");
  TrainingState other = make_state(2);
  ASSERT_TRUE(read_checkpoint(run_, other, "one"));
  expect_same(state, other);
  // The optimiser still moves the network that was filled.
  learn(other, 1);
  EXPECT_NE(some_weights(*other.learner), some_weights(*state.learner));
}

TEST_F(CheckpointTest, NoneIsAStart) {
  TrainingState state = make_state(1);
  EXPECT_FALSE(read_checkpoint(run_, state, "one"));
  expect_same(state, make_state(1));
}

TEST_F(CheckpointTest, TheTwoNewestAreKeptAndTheNewestIsRead) {
  TrainingState state = used_state();
  for (const std::int64_t steps : {9, 10, 11, 1000000001}) {
    state.position.steps = steps;
    write_checkpoint(run_, state, "one");
  }
  EXPECT_EQ(files().size(), 2U);
  TrainingState other = make_state(2);
  ASSERT_TRUE(read_checkpoint(run_, other, "one"));
  EXPECT_EQ(other.position.steps, 1000000001);
}

TEST_F(CheckpointTest, TheFinishedStateOfAStepFollowsTheUnfinishedOne) {
  TrainingState state = used_state();
  write_checkpoint(run_, state, "one");
  state.position.finished = true;
  write_checkpoint(run_, state, "one");
  TrainingState other = make_state(2);
  ASSERT_TRUE(read_checkpoint(run_, other, "one"));
  EXPECT_TRUE(other.position.finished);
}

TEST_F(CheckpointTest, OfADamagedOneTheOneBeforeIsUsed) {
  TrainingState state = used_state();
  write_checkpoint(run_, state, "one");
  state.position.steps += 10;
  state.metrics += "more\n";
  write_checkpoint(run_, state, "one");
  damage(files().back());
  TrainingState other = make_state(2);
  ASSERT_TRUE(read_checkpoint(run_, other, "one"));
  EXPECT_EQ(other.position.steps, 17);
  EXPECT_EQ(other.metrics, used_state().metrics);
  other.position.steps += 5;  // not yet where the damaged one was
  write_checkpoint(run_, other, "one");
  ASSERT_EQ(files().size(), 2U);
  damage(files().back());
  TrainingState third = make_state(2);
  ASSERT_TRUE(read_checkpoint(run_, third, "one"));
  EXPECT_EQ(third.position.steps, 17);
  for (const Path& file : files()) testing::write_bytes(file, "cut");
  const std::string error = testing::error_of([&] { read_checkpoint(run_, other, "one"); });
  EXPECT_THAT(error, AllOf(HasSubstr("no checkpoint in"), HasSubstr("can be read")));
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

// Any byte changed anywhere, in the description too: the one before is used, unless nothing is lost (the
// name of a checksum may change).
TEST_F(CheckpointTest, DamageAnywhereIsNoticed) {
  TrainingState state = used_state();
  write_checkpoint(run_, state, "one");
  state.position.steps += 10;
  write_checkpoint(run_, state, "one");
  const std::string whole = read_text(files().back());
  for (std::size_t at = 0; at < whole.size(); at += at < 2000 ? 7 : 97) {
    std::string bytes = whole;
    bytes[at] ^= 2;
    testing::write_bytes(files().back(), bytes);
    TrainingState other = make_state(2);
    ASSERT_TRUE(read_checkpoint(run_, other, "one")) << at;
    if (other.position.steps != 17) expect_same(state, other);
  }
  for (std::size_t length = 0; length < whole.size(); length += 113) {
    testing::write_bytes(files().back(), whole.substr(0, length));
    TrainingState other = make_state(2);
    ASSERT_TRUE(read_checkpoint(run_, other, "one")) << length;
    EXPECT_EQ(other.position.steps, 17) << length;
  }
}

TEST_F(CheckpointTest, NamesThatAreNotUtf8MayGoOn) {
  const std::string identity = "caf\xe9/image.nii";
  write_checkpoint(run_, used_state(), identity);
  TrainingState other = make_state(2);
  EXPECT_TRUE(read_checkpoint(run_, other, identity));
}

TEST_F(CheckpointTest, OfAnotherTrainingIsWrongUse) {
  write_checkpoint(run_, used_state(), "one");
  TrainingState other = make_state(2);
  try {
    read_checkpoint(run_, other, "two");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("belongs to a training with other settings"));
  }
  expect_same(other, make_state(2));
}

}  // namespace
}  // namespace aladdin
