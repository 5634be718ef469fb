// Laws of the losses, and their gradients against finite differences in double.
#include <gtest/gtest.h>

#include "aladdin/core/error.h"
#include "aladdin/loss/dice.h"
#include "aladdin/loss/dissimilarity.h"
#include "aladdin/loss/regularity.h"

namespace aladdin {
namespace {

Dissimilarity dissimilarity(SimilarityKind kind) {
  LossConfig config;
  config.similarity = kind;
  config.bins = 8;
  return Dissimilarity(config);
}

at::Tensor mutual_information_loss(const at::Tensor& a, const at::Tensor& b) {
  return dissimilarity(SimilarityKind::mi)(a, b);
}

Regularity regularity(RegulariserKind kind) {
  LossConfig config;
  config.regulariser = kind;
  return Regularity(config);
}

at::Tensor noise(at::IntArrayRef size, int seed) {
  at::manual_seed(seed);
  return at::rand(size, at::kDouble);
}

// Every 11th derivative of f at x.
void expect_gradient(const std::function<at::Tensor(const at::Tensor&)>& f, const at::Tensor& x,
                     const std::string& what) {
  const at::Tensor leaf = x.detach().clone().requires_grad_(true);
  f(leaf).backward();
  const at::Tensor grad = leaf.grad().flatten();
  constexpr double kStep = 1e-6;
  const double scale = grad.abs().max().item<double>();
  ASSERT_GT(scale, 0) << what;
  for (int64_t i = 0; i < x.numel(); i += 11) {
    const auto at_step = [&](double step) {
      at::Tensor moved = x.detach().clone();
      moved.data_ptr<double>()[i] += step;
      return f(moved).item<double>();
    };
    EXPECT_NEAR((at_step(kStep) - at_step(-kStep)) / (2 * kStep), grad[i].item<double>(),
                1e-5 * scale)
        << what << " element " << i;
  }
}

TEST(Similarity, AnImageMatchesItselfAndNothingMatchesBetter) {
  const at::Tensor a = noise({2, 1, 6, 7, 8}, 1), b = noise({2, 1, 6, 7, 8}, 2);
  for (const auto& [kind, name, keeps_scale, floats] : kSimilarityKinds) {
    const auto compare = dissimilarity(kind);
    const double same = compare(a, a).item<double>(), other = compare(a, b).item<double>();
    // Linear votes blur the joint histogram of noise: 2 - NMI of it with itself is not 0.
    if (kind != SimilarityKind::mi) {
      EXPECT_NEAR(same, 0, 2e-2) << name;
    }
    EXPECT_LT(same, other - 0.1) << name;
  }
}

TEST(Similarity, IsAMeanOverTheBatch) {
  const at::Tensor a = noise({3, 1, 6, 7}, 1), b = noise({3, 1, 6, 7}, 2);
  for (const auto& [kind, name, keeps_scale, floats] : kSimilarityKinds) {
    const auto compare = dissimilarity(kind);
    double sum = 0;
    for (int64_t i = 0; i < 3; ++i)
      sum += compare(a.narrow(0, i, 1), b.narrow(0, i, 1)).item<double>();
    EXPECT_NEAR(compare(a, b).item<double>(), sum / 3, 1e-9) << name;
  }
}

TEST(Similarity, OutsideTheMaskThereIsNoGradientAndNoEffect) {
  const at::Tensor b = noise({1, 1, 6, 7, 8}, 2);
  at::Tensor mask = at::ones_like(b);
  mask.narrow(4, 0, 3).zero_();
  for (const auto& [kind, name, keeps_scale, floats] : kSimilarityKinds) {
    const auto compare = dissimilarity(kind);
    const at::Tensor a = noise({1, 1, 6, 7, 8}, 1).requires_grad_(true);
    const at::Tensor loss = compare(a, b, mask);
    loss.backward();
    EXPECT_EQ(a.grad().narrow(4, 0, 3).abs().max().item<double>(), 0) << name;
    EXPECT_GT(a.grad().narrow(4, 3, 5).abs().max().item<double>(), 0) << name;
    at::Tensor other = a.detach().clone();
    other.narrow(4, 0, 3).fill_(0.123);
    EXPECT_EQ(compare(other, b, mask).item<double>(), loss.item<double>()) << name;
  }
}

TEST(Similarity, AFullMaskOrNoneChangesNothing) {
  const at::Tensor a = noise({1, 1, 6, 7, 8}, 1), b = noise({1, 1, 6, 7, 8}, 2);
  for (const auto& [kind, name, keeps_scale, floats] : kSimilarityKinds) {
    const auto compare = dissimilarity(kind);
    EXPECT_EQ(compare(a, b, at::ones_like(a)).item<double>(), compare(a, b).item<double>()) << name;
    EXPECT_EQ(compare(a, b, at::Tensor()).item<double>(), compare(a, b).item<double>()) << name;
  }
}

TEST(Similarity, InsideTheMaskSquaredDifferencesHaveTheirOwnGradient) {
  const at::Tensor b = noise({1, 1, 6, 7, 8}, 2);
  at::Tensor mask = at::ones_like(b);
  mask.narrow(3, 2, 3).zero_();
  const auto gradient = [&](bool masked) {
    const at::Tensor a = noise({1, 1, 6, 7, 8}, 1).requires_grad_(true);
    const auto mse = dissimilarity(SimilarityKind::mse);
    (masked ? mse(a, b, mask) : mse(a, b)).backward();
    return a.grad();
  };
  EXPECT_TRUE(at::allclose(gradient(true), gradient(false) * mask));
}

// A row of config/choices.h without a file in loss/similarities.
TEST(Similarity, OneWithoutAFileIsRefused) {
  EXPECT_THROW(dissimilarity(static_cast<SimilarityKind>(99)), Error);
}

TEST(MutualInformation, APerfectMatchIsNearZeroWhateverTheContrast) {
  // Intensities at the centres of the bins: votes do not spread.
  const at::Tensor a = at::floor(noise({1, 1, 20, 20, 20}, 3) * 8) / 7;
  EXPECT_NEAR(mutual_information_loss(a, a).item<double>(), 0, 1e-6);
  EXPECT_NEAR(mutual_information_loss(a, 1 - a).item<double>(), 0, 1e-6);
  EXPECT_GT(mutual_information_loss(a, (a - 0.5).square()).item<double>(), 0.1);
}

TEST(MutualInformation, ImagesWithNothingInCommonAreNearOne) {
  const at::Tensor a = noise({1, 1, 40, 40, 40}, 3), b = noise({1, 1, 40, 40, 40}, 4);
  EXPECT_NEAR(mutual_information_loss(a, b).item<double>(), 1, 0.01);
}

TEST(MutualInformation, GradientsAgreeWithFiniteDifferences) {
  const at::Tensor a = 0.1 + 0.8 * noise({2, 1, 4, 5, 6}, 5),
                   b = 0.5 * a + 0.4 * noise(a.sizes(), 6);
  expect_gradient([&](const at::Tensor& x) { return mutual_information_loss(x, b); }, a, "first");
  expect_gradient([&](const at::Tensor& x) { return mutual_information_loss(a, x); }, b, "second");
}

at::Tensor along(int64_t axis, int64_t size) {
  std::vector<int64_t> shape(5, 1);
  shape[4 - axis] = size;
  return at::arange(size, at::kDouble).view(shape);
}

TEST(Regularity, AffineMapsCostNothingUnderBendingOnly) {
  const at::Tensor x = along(0, 9), y = along(1, 8), z = along(2, 7);
  const at::Tensor u = at::cat(
      {0.2 * x - 0.1 * y + 0 * z + 3, 0.3 * z + 0 * x + 0 * y - 1, 0.1 * x + 0.1 * y + 0.1 * z}, 1);
  EXPECT_NEAR(regularity(RegulariserKind::bending)(u, u, {0.7, 1, 2}).item<double>(), 0, 1e-20);
  EXPECT_GT(regularity(RegulariserKind::gradient)(u, u, {0.7, 1, 2}).item<double>(), 0.01);
  const at::Tensor still = at::ones_like(u);
  for (const auto& [kind, name] : kRegulariserKinds)
    EXPECT_NEAR(regularity(kind)(still, still, {0.7, 1, 2}).item<double>(), 0, 1e-20) << name;
}

TEST(Regularity, GradientLooksAtTheDisplacementAndVelocityAtTheVelocity) {
  const at::Tensor u = noise({1, 3, 5, 6, 7}, 1), zero = at::zeros_like(u);
  EXPECT_EQ(regularity(RegulariserKind::gradient)(u, zero, {1, 1, 1}).item<double>(), 0);
  EXPECT_EQ(regularity(RegulariserKind::velocity)(zero, u, {1, 1, 1}).item<double>(), 0);
  EXPECT_EQ(regularity(RegulariserKind::gradient)(zero, u, {1, 1, 1}).item<double>(),
            regularity(RegulariserKind::velocity)(u, zero, {1, 1, 1}).item<double>());
}

// sin waves in mm over the same 40 mm cube, as voxels of a grid with this spacing.
at::Tensor wave(const std::array<double, 3>& spacing) {
  const auto size = [&](int a) { return int64_t(std::lround(40 / spacing[a])) + 1; };
  const at::Tensor x = along(0, size(0)) * spacing[0], y = along(1, size(1)) * spacing[1],
                   z = along(2, size(2)) * spacing[2];
  const at::Tensor phase = 0.2 * x + 0.15 * y - 0.1 * z;
  return at::cat({phase.sin() * (2 / spacing[0]), phase.cos() * (1.5 / spacing[1]),
                  (phase + 1).sin() / spacing[2]},
                 1);
}

TEST(Regularity, TheSameDeformationCostsTheSameOnAnySpacing) {
  const std::array<double, 3> fine{0.5, 0.5, 0.5}, coarse{1, 0.5, 2};
  const at::Tensor a = wave(fine), b = wave(coarse);
  for (const auto& [kind, name] : kRegulariserKinds) {
    const double first = regularity(kind)(a, a, fine).item<double>();
    EXPECT_NEAR(regularity(kind)(b, b, coarse).item<double>(), first, 0.08 * first) << name;
  }
}

TEST(Regularity, GradientsAgreeWithFiniteDifferences) {
  const at::Tensor u = noise({2, 3, 4, 5, 6}, 7);
  for (const auto& [kind, name] : kRegulariserKinds)
    expect_gradient(
        [&, kind = kind](const at::Tensor& x) {
          return regularity(kind)(x, x, {0.7, 1.1, 2});
        },
        u, std::string(name));
}

TEST(SoftDice, IsOneMinusTheDiceOfSets) {
  at::Tensor a = at::zeros({1, 2, 4, 4}, at::kDouble), b = a.clone();
  a[0][0].narrow(0, 0, 2).fill_(1);                            // 8 voxels
  b[0][0].narrow(0, 1, 2).fill_(1);                            // 8, of which 4 are shared
  EXPECT_NEAR(soft_dice_loss(a, a).item<double>(), 0, 1e-12);  // the second label does not count
  EXPECT_NEAR(soft_dice_loss(a, b).item<double>(), 0.5, 1e-12);
  b[0][1].fill_(1);  // a label that only one has: Dice 0
  EXPECT_NEAR(soft_dice_loss(a, b).item<double>(), 0.75, 1e-12);
}

TEST(SoftDice, OfNothingIsFiniteAndFlat) {
  const at::Tensor a = at::zeros({1, 2, 4, 4}, at::kDouble).requires_grad_(true);
  const at::Tensor loss = soft_dice_loss(a, at::zeros({1, 2, 4, 4}, at::kDouble));
  loss.backward();
  EXPECT_EQ(loss.item<double>(), 1);
  EXPECT_EQ(a.grad().abs().max().item<double>(), 0);
}

TEST(SoftDice, GradientsAgreeWithFiniteDifferences) {
  const at::Tensor a = noise({2, 3, 4, 5}, 8), b = noise({2, 3, 4, 5}, 9);
  expect_gradient([&](const at::Tensor& x) { return soft_dice_loss(x, b); }, a, "first");
}

}  // namespace
}  // namespace aladdin
