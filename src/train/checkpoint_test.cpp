#include "aladdin/train/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "aladdin/core/log.h"
#include "aladdin/image/test_files.h"
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

// Every learner that has a state, and every kind of atlas that has one.
struct Kind {
  Engine engine = Engine::learn;
  AtlasRule update = AtlasRule::learned;
};
constexpr Kind kKinds[] = {{},
                           {Engine::learn, AtlasRule::adam},
                           {Engine::optimise, AtlasRule::forward},
                           {Engine::joshi, AtlasRule::backward},
                           {Engine::absorb, AtlasRule::backward}};

TrainingState make_state(std::uint64_t seed, const Kind& kind = {}) {
  Config config = testing::small_config();
  config.train.engine = kind.engine;
  config.atlas.update = kind.update;
  config.train.seed = seed;
  config.demons.iterations = 2;
  at::manual_seed(seed);
  return {config, make_learner(config, balls()), at::rand(balls().image_shape())};
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
TrainingState used_state(const Kind& kind = {}) {
  TrainingState state = make_state(1, kind);
  state.learner->begin_stage(1);
  learn(state, 0.1);
  state.learner->keep_best();
  learn(state, 0.1);
  state.atlas += 0.25;
  for (at::Tensor* of_atlas : {&state.atlas_gradient, &state.atlas_first, &state.atlas_second})
    if (of_atlas->defined()) *of_atlas += 0.125;
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
  same(a.atlas_first, b.atlas_first);
  same(a.atlas_second, b.atlas_second);
  const Position &p = a.position, &q = b.position;
  EXPECT_EQ(std::tie(p.stage, p.epoch, p.step, p.epochs, p.steps, p.seconds, p.atlas_is_final,
                     p.finished),
            std::tie(q.stage, q.epoch, q.step, q.epochs, q.steps, q.seconds, q.atlas_is_final,
                     q.finished));
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
  // As one who means harm would: the checksums hold.
  static void forge(const Path& path, const std::function<void(Safetensors&)>& change) {
    Safetensors file(path);
    change(file);
    file.write(path);
  }
  // Of one number, which goes with any shape where Torch is free to repeat it.
  static void shrink(const Path& path, const std::string& name) {
    forge(path, [&](Safetensors& file) {
      Safetensors other;
      other.metadata = file.metadata;
      for (const auto& [each, entry] : file.entries())
        other.add(each, each == name ? std::vector<std::int64_t>{1} : entry.shape,
                  file.values<float>(each, entry.shape).data());
      file = other;
    });
  }
  std::string error_of_reading(const Kind& kind = {}) const {
    TrainingState state = make_state(2, kind);
    return testing::error_of([&] { read_checkpoint(run_, state, "one"); });
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

TEST_F(CheckpointTest, NoTensorMayHaveAnotherShape) {
  for (const Kind& kind : kKinds) {
    write_checkpoint(run_, used_state(kind), "one");
    const Path path = files().back();
    const std::string whole = read_text(path);
    ASSERT_EQ(error_of_reading(kind), "");
    const Safetensors newest(path);
    for (const auto& [name, entry] : newest.entries()) {
      shrink(path, name);
      EXPECT_THAT(error_of_reading(kind), AllOf(HasSubstr(fmt::format("the tensor '{}' of", name)),
                                                HasSubstr("is F32 (1), expected F32 (")))
          << name_of(kind.engine);
      testing::write_bytes(path, whole);
    }
  }
}

TEST_F(CheckpointTest, ATensorThatIsNotOfThisTrainingIsLeftOut) {
  write_checkpoint(run_, used_state(), "one");
  forge(files().back(), [](Safetensors& file) {
    const float number = 1;
    file.add("atlas_first", {1}, &number);
  });
  TrainingState other = make_state(2);
  ASSERT_TRUE(read_checkpoint(run_, other, "one"));
  expect_same(used_state(), other);
}

TEST_F(CheckpointTest, NoNumberMayBeOutOfRange) {
  write_checkpoint(run_, used_state(), "one");
  const Path path = files().back();
  const std::string whole = read_text(path);
  for (const char* key :
       {"stage", "epoch", "step", "epochs", "steps", "sum_steps", "since_best", "adam_steps"})
    for (const char* bad : {"-1", "1000000000000", "18446744073709551616", "1e300", "1.5", "x"}) {
      forge(path, [&](Safetensors& file) {
        if (file.metadata.contains(key)) {
          file.metadata[key] = bad;
          return;
        }
        auto state = nlohmann::json::parse(file.text("state"));
        state[key] = bad == std::string("x") ? nlohmann::json(bad) : nlohmann::json::parse(bad);
        file.metadata["state"] = state.dump();
      });
      EXPECT_THAT(error_of_reading(),
                  HasSubstr(fmt::format("the '{}' of a checkpoint is not a whole number", key)))
          << bad;
      testing::write_bytes(path, whole);
    }
}

TEST_F(CheckpointTest, VelocitiesAreOfTheStage) {
  const Kind kind{Engine::optimise, AtlasRule::forward};
  write_checkpoint(run_, used_state(kind), "one");
  const Path path = files().back();
  const std::string whole = read_text(path);
  for (const auto& [stage, sentence] :
       {std::pair{"2", "is F32 (1, 2, 10, 8), expected F32 (1, 2, 5, 4)"},
        {"4", "are those of stage 4, which this training does not have"}}) {
    forge(path, [&, stage = stage](Safetensors& file) { file.metadata["velocity_stage"] = stage; });
    EXPECT_THAT(error_of_reading(kind), HasSubstr(sentence));
    testing::write_bytes(path, whole);
  }
  TrainingState state = make_state(2, kind);
  ASSERT_TRUE(read_checkpoint(run_, state, "one"));
  EXPECT_THAT(testing::error_of([&] { state.learner->begin_stage(2); }),
              HasSubstr("are those of stage 1, its step is one of stage 2"));
  // None at all, though its step needs them
  forge(path, [](Safetensors& file) { file.metadata["velocity_stage"] = "0"; });
  ASSERT_TRUE(read_checkpoint(run_, state, "one"));
  const char* sentence = "are those of stage 0, its step is one of stage 1";
  EXPECT_THAT(testing::error_of([&] { learn(state, 0.1); }), HasSubstr(sentence));
  EXPECT_THAT(testing::error_of([&] { state.learner->registered(state.atlas, 0, 1); }),
              HasSubstr(sentence));
}

TEST_F(CheckpointTest, BundlesHoldEachImageOnce) {
  const Kind kind{Engine::absorb, AtlasRule::backward};
  write_checkpoint(run_, used_state(kind), "one");
  const Path path = files().back();
  for (const char* nodes : {"[]", "[[0, 1, 2, 3], []]", "[[0, 1], [2]]", "[[0, 1], [1, 2], [3]]",
                            "[[0, 1, 2, 4]]", "[[0, 1, 2, -1]]", "[[0, 1, 2, 3.0]]", "7"}) {
    forge(path, [&](Safetensors& file) {
      auto state = nlohmann::json::parse(file.text("absorb"));
      state["nodes"] = nlohmann::json::parse(nodes);
      file.metadata["absorb"] = state.dump();
    });
    EXPECT_THAT(error_of_reading(kind), HasSubstr("the 'nodes' of a checkpoint")) << nodes;
  }
}

// What was read of the newest before it failed is not there any more.
TEST_F(CheckpointTest, OfOneThatFailsHalfwayNothingIsLeft) {
  for (const Kind& kind : kKinds) {
    TrainingState state = used_state(kind);
    state.learner->forget_best();
    write_checkpoint(run_, state, "one");
    TrainingState newer = used_state(kind);
    learn(newer, 0.2);
    newer.learner->keep_best();
    newer.atlas += 1;
    newer.position = {0, 7, 6, 5, 27, 4, true, true};
    newer.sums = {};
    newer.metrics += "more\n";
    newer.best_score.reset();
    newer.since_best = 9;
    write_checkpoint(run_, newer, "one");
    ASSERT_EQ(files().size(), 2U);
    const Path path = files().back();
    const std::string whole = read_text(path);
    const auto expect_the_older = [&](const std::string& what) {
      TrainingState other = make_state(2, kind);
      ASSERT_TRUE(read_checkpoint(run_, other, "one")) << what;
      SCOPED_TRACE(fmt::format("{} {}", name_of(kind.engine), what));
      expect_same(state, other);
      testing::write_bytes(path, whole);
    };
    const Safetensors newest(path);
    for (const auto& [name, entry] : newest.entries()) {
      shrink(path, name);
      expect_the_older(name);
    }
    for (const char* key : {"state", "metrics"}) {
      forge(path, [&](Safetensors& file) { file.metadata.erase(key); });
      expect_the_older(key);
    }
    for (const Path& file : files()) std::filesystem::remove(file);
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
