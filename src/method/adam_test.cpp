#include "aladdin/method/adam.h"

#include <gtest/gtest.h>
#include <torch/optim/adam.h>

#include <cmath>
#include <limits>

#include "aladdin/core/parallel.h"
#include "aladdin/image/test_files.h"

namespace aladdin {
namespace {

// One longer than the range of a task, one not a multiple of a vector.
std::vector<at::Tensor> parameters() {
  at::manual_seed(3);
  return {at::randn({40, 500}), at::randn({13}), at::randn({2, 3, 3})};
}

std::vector<at::Tensor> gradients(int step) {
  at::manual_seed(100 + step);
  std::vector<at::Tensor> out;
  for (const at::Tensor& p : parameters()) out.push_back(at::randn_like(p));
  return out;
}

double largest_difference(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most = std::max(most, (a[k] - b[k]).abs().max().item<double>());
  return most;
}

bool equal(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  bool all = a.size() == b.size();
  for (std::size_t k = 0; all && k < a.size(); ++k) all = a[k].equal(b[k]);
  return all;
}

TEST(Adam, AgreesWithTorch) {
  const auto ours = parameters(), theirs = parameters();
  for (const at::Tensor& p : theirs) p.requires_grad_(true);
  Adam adam(ours, {});
  torch::optim::Adam reference(theirs, torch::optim::AdamOptions(0.01));
  for (int t = 0; t < 20; ++t) {
    const auto grads = gradients(t);
    for (std::size_t k = 0; k < theirs.size(); ++k) theirs[k].mutable_grad() = grads[k].clone();
    adam.step(grads, 0.01);
    reference.step();
  }
  const at::NoGradGuard no_grad;
  EXPECT_LT(largest_difference(ours, theirs), 1e-5);
  EXPECT_GT(largest_difference(ours, parameters()), 0.01);
}

TEST(Adam, ReturnsTheNormAndClipsToIt) {
  const auto clipped = parameters(), plain = parameters();
  const auto grads = gradients(0);
  double squares = 0;
  for (const at::Tensor& g : grads) squares += g.to(at::kDouble).square().sum().item<double>();
  const double norm = std::sqrt(squares);
  Adam a(clipped, {.clip = 0.5}), b(plain, {});
  std::vector<at::Tensor> small;
  for (const at::Tensor& g : grads) small.push_back(g * (0.5 / norm));
  EXPECT_NEAR(a.step(grads, 0.01), norm, 1e-6 * norm);
  EXPECT_NEAR(b.step(small, 0.01), 0.5, 1e-6);
  EXPECT_LT(largest_difference(a.state(), b.state()), 1e-8);
  // A gradient below the limit is left alone.
  const auto free = parameters(), held = parameters();
  Adam c(free, {}), d(held, {.clip = 2 * norm});
  c.step(grads, 0.01);
  d.step(grads, 0.01);
  EXPECT_TRUE(equal(free, held));
}

TEST(Adam, AGradientThatIsNotFiniteChangesNothing) {
  const auto weights = parameters();
  Adam adam(weights, {.average = 0.9});
  auto grads = gradients(0);
  grads[1][5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(std::isfinite(adam.step(grads, 0.01)));
  EXPECT_TRUE(equal(weights, parameters()));
  EXPECT_EQ(adam.steps(), 0);
}

TEST(Adam, AveragesYoungWeightsFaster) {
  const auto weights = parameters();
  Adam adam(weights, {.average = 0.5});
  std::vector<at::Tensor> expected = parameters();
  for (int t = 1; t <= 30; ++t) {
    adam.step(gradients(t), 0.01);
    const double keep = std::min(0.5, (1.0 + t) / (10.0 + t));
    for (std::size_t k = 0; k < expected.size(); ++k)
      expected[k] = keep * expected[k] + (1 - keep) * weights[k];
  }
  EXPECT_LT(largest_difference(adam.averaged(), expected), 1e-5);
  EXPECT_GT(largest_difference(adam.averaged(), weights), 1e-3);
  EXPECT_TRUE(equal(Adam(weights, {}).averaged(), weights));  // none: the weights themselves
}

TEST(Adam, GoesOnFromItsStateToTheBit) {
  const auto whole = parameters(), second = parameters();
  const AdamOptions options{.clip = 1, .average = 0.9};
  Adam uninterrupted(whole, options), first(second, options);
  for (int t = 0; t < 4; ++t) uninterrupted.step(gradients(t), 0.01);
  for (int t = 0; t < 2; ++t) first.step(gradients(t), 0.01);
  std::vector<at::Tensor> saved;
  for (const at::Tensor& tensor : first.state()) saved.push_back(tensor.clone());
  Adam resumed(second, options);
  resumed.restore(saved, first.steps());
  for (int t = 2; t < 4; ++t) resumed.step(gradients(t), 0.01);
  EXPECT_TRUE(equal(whole, second));
  EXPECT_TRUE(equal(uninterrupted.state(), resumed.state()));
  saved.pop_back();
  EXPECT_EQ(testing::error_of([&] { resumed.restore(saved, 2); }),
            "the optimiser's state does not fit the network");
}

TEST(Adam, TheSameBitsOnOneAndTwoThreads) {
  const auto one = parameters(), two = parameters();
  const int before = threads();
  set_threads(1);
  Adam(one, {.clip = 1}).step(gradients(0), 0.1);
  set_threads(2);
  Adam(two, {.clip = 1}).step(gradients(0), 0.1);
  set_threads(before);
  EXPECT_TRUE(equal(one, two));
}

}  // namespace
}  // namespace aladdin
