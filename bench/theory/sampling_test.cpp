// Cubic interpolation, differences and flows: their laws.
#include <gtest/gtest.h>

#include "aladdin/core/error.h"
#include "aladdin/ops/bending.h"
#include "differential.h"
#include "test_problem.h"

namespace aladdin::theory {
namespace {

constexpr auto kCubic = Interpolation::cubic;

at::Tensor noise(at::IntArrayRef size, int seed) {
  at::manual_seed(seed);
  return at::rand(size, at::kDouble) - 0.5;
}

double largest(const at::Tensor& f) { return f.abs().max().item<double>(); }

TEST(CubicWarp, KeepsTheVoxelsWhereTheyAre) {
  for (const at::Tensor& in : {noise({2, 3, 5, 6}, 1), noise({2, 2, 4, 5, 6}, 2)}) {
    const at::Tensor still = at::zeros_like(in.narrow(1, 0, 1)).expand_as(in.narrow(1, 0, 1));
    const at::Tensor u = at::cat(std::vector<at::Tensor>(in.dim() - 2, still), 1);
    EXPECT_LT(largest(warp(in, u, kCubic) - in), 1e-14);
  }
}

TEST(CubicWarp, AffineFunctionsAreExactToTheBorderAndQuadraticOnesInside) {
  const UnitCube cube(3, 8);
  const at::Tensor x = cube.coordinate(0) * 7, y = cube.coordinate(1) * 7,
                   z = cube.coordinate(2) * 7;
  const at::Tensor u = noise({1, 3, 8, 8, 8}, 3);
  const auto at_u = [&](int axis, const at::Tensor& from) {
    return (from + u.narrow(1, axis, 1)).clamp(0, 7);
  };
  const at::Tensor px = at_u(0, x), py = at_u(1, y), pz = at_u(2, z);
  const auto affine = [](const auto& a, const auto& b, const auto& c) {
    return 2 + a - 0.5 * b + 0.3 * c;
  };
  EXPECT_LT(largest(warp(affine(x, y, z), u, kCubic) - affine(px, py, pz)), 1e-13);
  const auto quadratic = [](const auto& a, const auto& b, const auto& c) {
    return a * a + a * b - c * c + b * c;
  };
  const auto inside = [](at::Tensor f) {
    for (int dim = 2; dim < 5; ++dim) f = f.narrow(dim, 2, 4);
    return f;
  };
  EXPECT_LT(largest(inside(warp(quadratic(x, y, z), u, kCubic) - quadratic(px, py, pz))), 1e-12);
}

TEST(CubicWarp, GradientsAgreeWithFiniteDifferences) {
  const at::Tensor in = noise({1, 2, 5, 6}, 4), u = 1.5 * noise({1, 2, 5, 6}, 5),
                   weight = noise({1, 2, 5, 6}, 6);
  const auto f = [&](const at::Tensor& a, const at::Tensor& b) {
    return (warp(a, b, kCubic) * weight).sum();
  };
  const at::Tensor a = in.clone().requires_grad_(true), b = u.clone().requires_grad_(true);
  f(a, b).backward();
  const at::Tensor da = noise(in.sizes(), 7), db = noise(u.sizes(), 8);
  constexpr double kStep = 1e-6;
  const double expected =
      (f(in + kStep * da, u + kStep * db) - f(in - kStep * da, u - kStep * db)).item<double>() /
      (2 * kStep);
  EXPECT_NEAR((a.grad() * da).sum().item<double>() + (b.grad() * db).sum().item<double>(), expected,
              1e-7);
}

TEST(CubicWarp, AnAxisOfOneVoxelIsRefused) {
  EXPECT_THROW(warp(noise({1, 1, 1, 4}, 1), noise({1, 2, 1, 4}, 1), kCubic), Error);
}

TEST(BendingDerivative, IsThatOfTheBendingEnergy) {
  for (const std::vector<int64_t>& size : {std::vector<int64_t>{1, 2, 6, 7}, {1, 3, 4, 5, 6}}) {
    const at::Tensor u = noise(size, 9).requires_grad_(true);
    double interior = 1;
    for (std::size_t dim = 2; dim < size.size(); ++dim) interior *= double(size[dim] - 2);
    (ops::bending_energy(u) * interior).backward();
    EXPECT_LT(relative(bending_derivative(u.detach()), u.grad()), 1e-12);
  }
}

TEST(Flow, RunsFromTheStartToTheEndAndBack) {
  const Problem problem = make_problem(2, 32, 1, 5);
  const Numerics numerics{.steps = 8};
  const Flow flow(problem.velocities, numerics);
  const Maps maps = integrate(problem.velocities, numerics);
  EXPECT_EQ(largest(flow.to_start(0)), 0);
  EXPECT_EQ(largest(flow.to_end(8)), 0);
  const double vox = largest(maps.phi_01);
  EXPECT_LT(largest(flow.to_end(0) - maps.phi_01), 5e-3 * vox);
  EXPECT_LT(largest(flow.to_start(8) - maps.phi_10), 5e-3 * vox);
  // Phi_{t,1} o Phi_{0,t} = Phi_{0,1}, where Phi_{0,t} = Phi_{1-t,1}.
  EXPECT_LT(largest(compose(flow.to_end(3), flow.to_end(5), kCubic) - flow.to_end(0)), 5e-3 * vox);
}

TEST(Flow, WantsAStepAndOneVelocity) {
  const Problem problem = make_problem(2, 8, 2, 5);
  EXPECT_THROW(Flow(problem.velocities, {}), Error);
  EXPECT_THROW(Flow(problem.velocities.narrow(0, 0, 1), {.steps = 0}), Error);
}

}  // namespace
}  // namespace aladdin::theory
