// The methods of the paper's table other than its own: gradients of their energies, and that they do what
// they are for on two or three balls.
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <nlohmann/json.hpp>

#include "aladdin/core/error.h"
#include "aladdin/core/rng.h"
#include "aladdin/method/affine_alignment.h"
#include "aladdin/method/atlas.h"
#include "aladdin/method/energy.h"
#include "aladdin/method/network_learner.h"
#include "aladdin/method/test_cohort.h"
#include "aladdin/ops/warp.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin {
namespace {

using testing::BallCohort;

const std::array<double, 3> kSpacing{0.8, 1.2, 1.5};

at::Tensor smooth(std::vector<int64_t> sizes, double scale) {
  at::Tensor t = at::randn(sizes, at::kDouble);
  for (int round = 0; round < 3; ++round)
    for (int64_t d = 2; d < t.dim(); ++d) t = t + t.roll(1, d) + t.roll(-1, d);
  return t * (scale / t.std().item<double>());
}

struct Case {
  EnergyKind energy;
  FlowKind flow;
  SimilarityKind similarity;
};

class MethodEnergy : public ::testing::TestWithParam<Case> {};

// Along a random direction, in double, by central differences.
TEST_P(MethodEnergy, GradientAgreesWithFiniteDifferences) {
  at::manual_seed(3);
  LossConfig loss;
  loss.energy = GetParam().energy;
  loss.similarity = GetParam().similarity;
  loss.lambda = 0.05;
  loss.magnitude = 0.02;
  loss.middle = 0.03;
  loss.cycle = 0.04;
  const bool dalca = loss.energy == EnergyKind::dalca;
  loss.gamma1 = dalca ? 0.3 : 0;
  loss.gamma2 = dalca ? 0.7 : 0;
  NetworkConfig network;
  network.flow = GetParam().flow;
  network.velocity_scale = 1;
  network.squarings = 3;
  const Flow flow(network);
  Batch batch;
  batch.images = smooth({3, 1, 8, 9, 7}, 0.2) + 0.5;
  const at::Tensor atlas = smooth({1, 1, 8, 9, 7}, 0.2) + 0.5;
  const at::Tensor back = smooth({3, 3, 8, 9, 7}, 0.4);
  const auto energy = [&](const at::Tensor& parameter, const at::Tensor& template_image) {
    Fields fields = flow(parameter, batch.images.sizes());
    if (loss.energy == EnergyKind::he) fields.to_atlas = back + 0.5 * parameter;
    return Energy(loss)(template_image, batch, fields, kSpacing, 1).energy;
  };
  const at::Tensor u = smooth({3, 3, 8, 9, 7}, 0.4).requires_grad_(true);
  const at::Tensor a = atlas.clone().requires_grad_(true);
  const auto grads = torch::autograd::grad({energy(u, a)}, {u, a});
  const at::Tensor du = smooth({3, 3, 8, 9, 7}, 1), da = smooth({1, 1, 8, 9, 7}, 1);
  constexpr double kStep = 1e-6;
  const at::NoGradGuard no_grad;
  const auto difference = [&](const at::Tensor& step_u, const at::Tensor& step_a) {
    return (energy(u + kStep * step_u, a + kStep * step_a) -
            energy(u - kStep * step_u, a - kStep * step_a))
               .item<double>() /
           (2 * kStep);
  };
  const double by_u = (grads[0] * du).sum().item<double>(),
               by_a = (grads[1] * da).sum().item<double>();
  EXPECT_NEAR(difference(du, at::zeros_like(da)), by_u, 1e-4 * std::abs(by_u) + 1e-8);
  EXPECT_NEAR(difference(at::zeros_like(du), da), by_a, 1e-4 * std::abs(by_a) + 1e-8);
  EXPECT_NE(by_u, 0);
  EXPECT_NE(by_a, 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, MethodEnergy,
    ::testing::Values(Case{EnergyKind::voxelmorph, FlowKind::image, SimilarityKind::mse},
                      Case{EnergyKind::voxelmorph, FlowKind::atlas, SimilarityKind::mse},
                      Case{EnergyKind::he, FlowKind::image, SimilarityKind::ncc},
                      Case{EnergyKind::dalca, FlowKind::velocity, SimilarityKind::mse}),
    [](const auto& info) {
      return fmt::format("{}_{}", name_of(info.param.energy), name_of(info.param.flow));
    });

TEST(VoxelmorphEnergy, IsTheSimilarityAndTheGradientByHand) {
  LossConfig loss;
  loss.energy = EnergyKind::voxelmorph;
  loss.similarity = SimilarityKind::mse;
  loss.lambda = 2;
  Fields fields;
  fields.to_subject = at::zeros({1, 2, 4, 5});
  fields.to_subject.select(1, 0) += at::arange(5, at::kFloat) * 0.5;  // du_x/dx = 1/2
  Batch batch;
  batch.images = at::zeros({1, 1, 4, 5}) + 0.25;
  const Terms terms = Energy(loss)(at::zeros({1, 1, 4, 5}), batch, fields, {1, 1, 1}, 1);
  EXPECT_NEAR(terms.sim, 0.0625, 1e-6);
  EXPECT_NEAR(terms.reg, 0.25, 1e-6);
  EXPECT_NEAR(terms.energy.item<double>(), 0.0625 + 2 * 0.25, 1e-6);
}

TEST(Methods, EveryOneHasItsFile) {
  for (const MethodDescription& about : kMethods) {
    const Method& method = registered(about);
    EXPECT_EQ(method.about.name, about.name);
    EXPECT_EQ(method.energy != nullptr, about.energy.has_value()) << about.name;
    EXPECT_EQ(method.learner == make_gradient_learner, !about.engine.has_value()) << about.name;
  }
}

class OnBalls : public ::testing::Test {
 protected:
  TrainingData load(const BallCohort& cohort) { return {cohort.write(folder_), at::kCPU}; }

  // Displacements by a method's own flow, of the training subjects, and how far they end from the atlas.
  static double distance(const Learner& learner, const Config& config, const at::Tensor& atlas,
                         const TrainingData& data) {
    const at::NoGradGuard no_grad;
    const Flow flow(config.network);
    double sum = 0;
    for (const std::size_t i : data.training()) {
      const at::Tensor u = flow.to_subject(learner.registered(atlas, i, 1), data.image_shape());
      sum += (ops::warp(data.image(i), u) - atlas).square().mean().item<double>();
    }
    return sum / double(data.training().size());
  }
  static double distance_before(const at::Tensor& atlas, const TrainingData& data) {
    double sum = 0;
    for (const std::size_t i : data.training())
      sum += (data.image(i) - atlas).square().mean().item<double>();
    return sum / double(data.training().size());
  }

  testing::TemporaryFolder folder_;
};

Config learned(EnergyKind energy, FlowKind flow) {
  Config config = testing::small_config();
  config.network.width = 8;
  config.network.passes = {1};
  config.network.velocity_scale = 1;
  config.network.flow = flow;
  config.loss.energy = energy;
  config.loss.similarity = energy == EnergyKind::he ? SimilarityKind::ncc : SimilarityKind::mse;
  config.loss.lambda = 1e-4;
  config.loss.gamma2 = 0;
  config.loss.middle = config.loss.magnitude = 1e-6;
  config.loss.cycle = energy == EnergyKind::he ? 1e-5 : 0;
  config.train.engine = Engine::learn;
  config.train.augment = 0;
  config.train.average = 0;
  return config;
}

TEST_F(OnBalls, EveryLearnedMethodOverfitsTwoImages) {
  const TrainingData data = load({.subjects = 2});
  const at::Tensor atlas = data.image(0);
  for (const auto& [energy, flow] : {std::pair{EnergyKind::voxelmorph, FlowKind::image},
                                     {EnergyKind::voxelmorph, FlowKind::atlas},
                                     {EnergyKind::he, FlowKind::image},
                                     {EnergyKind::dalca, FlowKind::velocity}}) {
    const Config config = learned(energy, flow);
    NetworkLearner learner(config, data);
    for (int step = 0; step < 150; ++step)
      EXPECT_TRUE(learner.learn(atlas, false, {{0, 1}, 1, 5e-3, step}).finite);
    EXPECT_LT(distance(learner, config, atlas, data), 0.3 * distance_before(atlas, data))
        << name_of(energy) << " " << name_of(flow);
  }
}

Config fitted(Engine engine) {
  Config config = testing::small_config();
  config.train.engine = engine;
  config.train.epochs = {5};
  config.demons.iterations = 30;
  config.demons.sigma = 1;
  config.network.flow = FlowKind::image;
  config.network.velocity_scale = 1;
  config.loss.energy = EnergyKind::voxelmorph;
  return config;
}

// One round: every training subject once, then the mean.
at::Tensor next_round(Learner& learner, const Config& config, const at::Tensor& atlas,
                      const TrainingData& data) {
  std::int64_t number = 0;
  for (const std::size_t i : data.training()) learner.learn(atlas, false, {{i}, 1, 0, number++});
  AtlasConfig backward = config.atlas;
  backward.update = AtlasRule::backward;
  backward.centre = false;
  return update_atlas([&](std::size_t i) { return learner.registered(atlas, i, 1); },
                      Flow(config.network), atlas, data, backward)
      .atlas;
}

// `auto` is for a cohort to decide, before anything is learned.
TEST_F(OnBalls, AnEngineThatIsNotChosenIsRefused) {
  const TrainingData data = load({.subjects = 2});
  Config config = testing::small_config();
  config.train.engine = Engine::automatic;
  EXPECT_THROW(make_learner(config, data), Error);
}

TEST_F(OnBalls, JoshiConverges) {
  for (const int dims : {2, 3}) {
    const TrainingData data = load({.dims = dims, .subjects = 4, .splits = {"val"}});
    const Config config = fitted(Engine::joshi);
    const auto made = make_learner(config, data);
    Learner& learner = *made;
    at::Tensor atlas = initial_atlas("mean", data);
    const double before = distance_before(atlas, data);
    std::vector<double> changes;
    for (int round = 0; round < 4; ++round) {
      const at::Tensor next = next_round(learner, config, atlas, data);
      changes.push_back((next - atlas).square().mean().item<double>());
      atlas = next;
    }
    EXPECT_LT(changes.back(), 0.3 * changes.front());
    EXPECT_LT(distance(learner, config, atlas, data), 0.2 * before);
    // A subject that it has not met
    const at::Tensor u = learner.registered(atlas, 0, 1);
    EXPECT_LT((ops::warp(data.image(0), u) - atlas).square().mean().item<double>(), before);
  }
}

TEST_F(OnBalls, AbsorbBundlesAndConverges) {
  const TrainingData data = load({.subjects = 7});
  Config config = fitted(Engine::absorb);
  config.demons.neighbours = 2;
  config.demons.levels = 2;
  const auto made = make_learner(config, data);
  Learner& learner = *made;
  at::Tensor atlas = initial_atlas("mean", data);
  const double before = distance_before(atlas, data);
  for (int round = 0; round < 5; ++round) atlas = next_round(learner, config, atlas, data);
  EXPECT_LT(distance(learner, config, atlas, data), 0.3 * before);
  Safetensors file;
  learner.save(file);
  // Two levels: the seven images were bundled once, two by two.
  const auto state = nlohmann::json::parse(file.text("absorb"));
  EXPECT_EQ(state.at("level"), 1);
  EXPECT_EQ(state.at("nodes").size(), 4U);
}

TEST_F(OnBalls, AffineAlignmentBringsTheCohortTogetherAndKeepsItsMiddle) {
  for (const int dims : {2, 3}) {
    TrainingData data = load({.dims = dims, .subjects = 5, .splits = {"val"}});
    const at::Tensor mean = initial_atlas("mean", data);
    const double before = distance_before(mean, data);
    const AffineAlignment found = align_affinely(data, SimilarityKind::mse);
    Affine middle{.matrix = {}, .offset = {0, 0, 0}, .dims = dims};
    for (const std::size_t i : data.training())
      for (int r = 0; r < 3; ++r) {
        middle.offset[r] += found.to_subject[i].offset[r] / double(data.training().size());
        for (int c = 0; c < 3; ++c)
          middle.matrix[r][c] += found.to_subject[i].matrix[r][c] / double(data.training().size());
      }
    for (int r = 0; r < dims; ++r) {
      EXPECT_NEAR(middle.offset[r], 0, 1e-9);
      for (int c = 0; c < dims; ++c) EXPECT_NEAR(middle.matrix[r][c], r == c, 1e-9);
    }
    data.place(found.to_subject, found.mean);
    EXPECT_LT(distance_before(initial_atlas("mean", data), data), 0.2 * before);
  }
}

// Subject i is one scene seen through a known map T_i; what is common to all is free, and left to the mean.
TEST_F(OnBalls, AffineAlignmentFindsKnownMaps) {
  Grid grid;
  grid.size = {40, 44, 36};
  grid.spacing = {1.2, 1, 1.4};
  Image scene(grid);
  const Vec3 c = grid.centre();
  const auto blob = [](const Vec3& d, double s) { return std::exp(-dot(d, d) / (2 * s * s)); };
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const Vec3 p = grid.to_point({double(v % 40), double(v / 40 % 44), double(v / (40 * 44))}) - c;
    scene.values[v] = static_cast<float>(blob(p, 9) + 0.8 * blob(p - Vec3{8, 3, -5}, 4) +
                                         0.6 * blob(p - Vec3{-7, 8, 6}, 5));
  }
  Rng rng(5, 1);
  std::vector<Affine> truth;
  std::string csv = "id,image\n";
  constexpr int kSubjects = 8;
  for (int i = 0; i < kSubjects; ++i) {
    Affine map = rotation(i % 3, 0.15 * rng.normal(), c);
    map = compose(
        scaling({1 + 0.07 * rng.normal(), 1 + 0.07 * rng.normal(), 1 + 0.07 * rng.normal()}, c),
        map);
    map = compose(translation({2 * rng.normal(), 2 * rng.normal(), 2 * rng.normal()}), map);
    truth.push_back(map);
    write_image(folder_ / fmt::format("s{}.nii.gz", i), pull_back(scene, {inverse(map)}, grid));
    csv += fmt::format("s{0},s{0}.nii.gz\n", i);
  }
  const TrainingData data(testing::load_cohort(folder_, csv), at::kCPU);
  const auto found = align_affinely(data, SimilarityKind::mse).to_subject;
  Affine middle{.matrix = {}, .offset = {0, 0, 0}};
  for (const Affine& map : truth) {
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) middle.matrix[r][k] += map.matrix[r][k] / kSubjects;
    middle.offset = middle.offset + (1.0 / kSubjects) * map.offset;
  }
  double error = 0;
  for (int i = 0; i < kSubjects; ++i)
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p = grid.to_point(
          {corner & 1 ? 39.0 : 0.0, corner & 2 ? 43.0 : 0.0, corner & 4 ? 35.0 : 0.0});
      error += norm(found[i](p) - compose(truth[i], inverse(middle))(p)) / (8 * kSubjects);
    }
  EXPECT_LT(error, 0.5);
  RecordProperty("mean_corner_error_mm", fmt::format("{:.3f}", error));
}

}  // namespace
}  // namespace aladdin
