#include "aladdin/condition/middle.h"

#include <gtest/gtest.h>

#include "aladdin/condition/test_run.h"
#include "aladdin/kernels/exponential.h"

namespace aladdin::condition {
namespace {

class MiddleTest : public ::testing::Test {
 protected:
  std::vector<float> field(double x, double y) const {
    const auto n = static_cast<std::size_t>(model_.padded.voxels());
    std::vector<float> out(2 * n, static_cast<float>(x));
    std::fill(out.begin() + std::ptrdiff_t(n), out.end(), static_cast<float>(y));
    return out;
  }
  // A smooth bump of so many voxels.
  std::vector<float> bump(double height) const {
    const std::int64_t n = model_.padded.voxels();
    std::vector<float> out(static_cast<std::size_t>(2 * n), 0);
    aladdin::testing::for_each_distance(model_.padded, [&](std::int64_t v, double x, double y) {
      out[v] = static_cast<float>(height * std::exp(-(x * x + y * y) / 60));
      out[n + v] = -.5F * out[v];
    });
    return out;
  }
  Model model_ = aladdin::testing::disc_model();
};

TEST_F(MiddleTest, OfNothingStaysWhereItIs) {
  const Middle middle = find_middle(field(0, 0), field(0, 0), model_);
  for (const float value : middle.to_group) EXPECT_EQ(value, 0);
  EXPECT_EQ(middle.rounds.size(), 1U);
}

TEST_F(MiddleTest, OfATranslationIsThatTranslation) {
  const Middle middle = find_middle(field(1.5, -.5), field(1.5, -.5), model_);
  EXPECT_NEAR(middle.to_group[100], 1.5, 1e-4);
  EXPECT_NEAR(middle.to_population[100], -1.5, 1e-4);
  EXPECT_LT(middle.rounds.back().max_mm, 1e-3);
}

TEST_F(MiddleTest, FindsTheVelocityOfTheMeanDisplacementFromAPoorStart) {
  const std::vector<float> truth = bump(3);
  std::vector<float> mean(truth.size());
  const Grid& grid = model_.padded;
  kernels::exponential(truth.data(), mean.data(), {1, 1, grid.size[1], grid.size[0], 2},
                       model_.squarings);
  const Middle middle = find_middle(bump(2), mean, model_);
  EXPECT_GT(middle.rounds.size(), 2U);
  EXPECT_LT(middle.rounds.back().max_mm, .02);
  for (std::size_t i = 1; i < middle.rounds.size(); ++i)
    EXPECT_LT(middle.rounds[i].mean_mm, middle.rounds[i - 1].mean_mm);
  for (std::size_t i = 0; i < mean.size(); i += 17) EXPECT_NEAR(middle.to_group[i], mean[i], .06);
}

}  // namespace
}  // namespace aladdin::condition
