#include "aladdin/method/energy.h"

#include <gtest/gtest.h>

#include "aladdin/ops/bending.h"
#include "aladdin/ops/jacobian.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

const std::array<double, 3> kSpacing{0.8, 1.2, 1.5};

// Smooth images and velocities of any number of subjects; item i is the same in every batch.
struct Scene {
  explicit Scene(int dims)
      : flow([] {
          NetworkConfig c;
          c.velocity_scale = 1;
          return c;
        }()) {
    at::manual_seed(4);
    const auto smooth = [&](int64_t channels, double scale) {
      std::vector<int64_t> sizes(dims + 2, 12);
      sizes[0] = 4;
      sizes[1] = channels;
      at::Tensor t = at::randn(sizes);
      for (int round = 0; round < 3; ++round)
        for (int64_t d = 2; d < t.dim(); ++d) t = t + t.roll(1, d) + t.roll(-1, d);
      return t * (scale / t.std().item<double>());
    };
    images = (smooth(1, 0.2) + 0.5).clamp(0, 1);
    velocity = smooth(dims, 0.6);
    atlas = images.mean(0, true);
    labels = at::cat({images > 0.6, images < 0.4}, 1).to(at::kFloat);
  }

  Terms energy(const LossConfig& config, const std::vector<int64_t>& who,
               bool labelled = false) const {
    const at::Tensor index = at::tensor(who, at::kLong);
    Batch batch;
    batch.images = images.index_select(0, index);
    if (labelled) batch.labels = labels.index_select(0, index);
    const Fields fields = flow(velocity.index_select(0, index), batch.images.sizes());
    return Energy(config)(atlas, batch, fields, kSpacing, 1);
  }
  Fields fields() const { return flow(velocity, images.sizes()); }

  Flow flow;
  at::Tensor images, velocity, atlas, labels;
};

LossConfig all_terms() {
  LossConfig config;
  config.gamma1 = 0.7;
  config.gamma2 = 1.3;
  config.supervise = 0.4;
  config.lambda = 0.05;
  config.volume = 0.3;
  return config;
}

TEST(Energy, OfFourIsTheMeanOverTheBatchesOfTwo) {
  for (const int dims : {2, 3})
    for (const auto& [similarity, name, keeps_scale, floats] : kSimilarityKinds) {
      const Scene scene(dims);
      LossConfig config = all_terms();
      config.similarity = similarity;
      const double whole = scene.energy(config, {0, 1, 2, 3}, true).energy.item<double>();
      double sum = 0;
      for (int64_t i = 0; i < 4; ++i)
        for (int64_t j = i + 1; j < 4; ++j)
          sum += scene.energy(config, {i, j}, true).energy.item<double>();
      EXPECT_NEAR(whole, sum / 6, 2e-5 * std::abs(whole)) << name << " " << dims;
    }
}

TEST(Energy, TermsWrittenOut) {
  const Scene scene(3);
  LossConfig config = all_terms();
  config.similarity = SimilarityKind::mse;
  config.sim = 2;
  const Terms terms = scene.energy(config, {0, 1, 2, 3}, true);
  const Fields f = scene.fields();
  const auto item = [](const at::Tensor& t, int64_t i) { return t.narrow(0, i, 1); };
  const auto mse = [](const at::Tensor& a, const at::Tensor& b) {
    return (a - b).square().mean().item<double>();
  };
  double sim = 0, atlas_pairs = 0, image_pairs = 0, dice = 0;
  for (int64_t i = 0; i < 4; ++i) {
    sim += mse(ops::warp(scene.atlas, item(f.to_atlas, i)), item(scene.images, i)) / 4;
    for (int64_t j = 0; j < 4; ++j) {
      if (i == j) continue;
      if (i < j)
        atlas_pairs += mse(ops::warp(item(scene.images, i), item(f.to_subject, i)),
                           ops::warp(item(scene.images, j), item(f.to_subject, j))) /
                       6;
      // x -> Phi_{0,1}^i(Phi_{1,0}^j(x)) as a displacement
      const at::Tensor u = item(f.to_atlas, j), through = u + ops::warp(item(f.to_subject, i), u);
      image_pairs += mse(ops::warp(item(scene.images, i), through), item(scene.images, j)) / 12;
      const at::Tensor a = ops::warp(item(scene.labels, i), through), b = item(scene.labels, j);
      for (int64_t k = 0; k < 2; ++k) {
        const at::Tensor p = a.select(1, k), q = b.select(1, k);
        dice += (1 - 2 * (p * q).sum().item<double>() / (p.sum() + q.sum()).item<double>()) / 24;
      }
    }
  }
  const double reg = ops::bending_energy(f.to_atlas_coarse, kSpacing).item<double>();
  const double volume =
      ops::jacobian_determinant(f.to_atlas_coarse).log().square().mean().item<double>();
  EXPECT_NEAR(terms.sim, sim, 1e-6);
  EXPECT_NEAR(terms.reg, reg, 1e-6 * reg);
  EXPECT_NEAR(terms.atlas_pairs, atlas_pairs, 1e-6);
  EXPECT_NEAR(terms.image_pairs, image_pairs, 1e-6);
  EXPECT_NEAR(terms.dice, dice, 1e-5);
  EXPECT_NEAR(
      terms.energy.item<double>(),
      2 * sim + 0.05 * reg + 0.3 * volume + 0.7 * atlas_pairs / 2 + 1.3 * image_pairs + 0.4 * dice,
      1e-5);
}

TEST(Energy, ABatchOfOneHasNoPairs) {
  const Scene scene(2);
  LossConfig config = all_terms();
  const Terms one = scene.energy(config, {2}, true);
  EXPECT_EQ(one.atlas_pairs + one.image_pairs + one.dice, 0);
  config.volume = 0;
  EXPECT_NEAR(scene.energy(config, {2}, true).energy.item<double>(),
              config.sim * one.sim + config.lambda * one.reg, 1e-6);
}

TEST(Energy, SuperviseNeedsLabelsAndLooksOnlyAtThem) {
  const Scene scene(2);
  LossConfig config = all_terms();
  EXPECT_EQ(scene.energy(config, {0, 1}, false).dice, 0);
  const double dice = scene.energy(config, {0, 1}, true).dice;
  EXPECT_GT(dice, 0.05);
  EXPECT_LT(dice, 1);
  config.supervise = 0;
  EXPECT_EQ(scene.energy(config, {0, 1}, true).dice, 0);
}

TEST(Energy, WhatIsTaughtAddsItsSquaredDistance) {
  for (const int dims : {2, 3}) {
    const Scene scene(dims);
    Batch batch;
    batch.images = scene.images;
    const Fields f = scene.fields();
    const Energy energy(all_terms(), 0.8);
    const double alone = energy(scene.atlas, batch, f, kSpacing, 1).energy.item<double>();
    batch.taught = scene.velocity + 0.5;
    const double taught = energy(scene.atlas, batch, f, kSpacing, 1).energy.item<double>();
    EXPECT_NEAR(taught - alone, 0.8 * dims * 0.25, 1e-4);
    batch.share = {1, 2};  // one of four
    Batch nothing = batch;
    nothing.taught = at::Tensor();
    Fields part = f;
    part.velocity = f.velocity.narrow(0, 1, 1);
    part.to_atlas = f.to_atlas.narrow(0, 1, 1);
    part.to_atlas_coarse = f.to_atlas_coarse.narrow(0, 1, 1);
    LossConfig plain = all_terms();
    plain.supervise = 0;
    const Energy shared(plain, 0.8);
    EXPECT_NEAR(shared(scene.atlas, batch, part, kSpacing, 1).energy.item<double>() -
                    shared(scene.atlas, nothing, part, kSpacing, 1).energy.item<double>(),
                0.8 * dims * 0.25 / 4, 1e-4);
  }
}

TEST(Energy, OutsideAMaskNothingCounts) {
  const Scene scene(2);
  LossConfig config;
  config.similarity = SimilarityKind::mse;
  const Fields f = scene.fields();
  Batch batch{scene.images, {}, at::ones_like(scene.images)};
  batch.masks.slice(2, 0, 6).zero_();
  const at::Tensor atlas = scene.atlas.clone().requires_grad_(true);
  const Energy energy(config);
  const double before = energy(atlas, batch, f, kSpacing, 1).sim;
  batch.images = scene.images.clone();
  batch.images.slice(2, 0, 6).fill_(0.9);
  EXPECT_NEAR(energy(atlas, batch, f, kSpacing, 1).sim, before, 1e-7);
  batch.images.slice(2, 6, 12).fill_(0.9);
  EXPECT_GT(std::abs(energy(atlas, batch, f, kSpacing, 1).sim - before), 1e-4);
}

}  // namespace
}  // namespace aladdin
