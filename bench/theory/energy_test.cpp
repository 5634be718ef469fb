// Theorem 2 against Theorem 1, and what affine velocities cost.
#include <gtest/gtest.h>

#include "test_problem.h"

namespace aladdin::theory {
namespace {

constexpr double kLambda = 0.3;

at::Tensor autograd(const std::function<at::Tensor(const at::Tensor&)>& energy,
                    const at::Tensor& velocities) {
  const at::Tensor leaf = velocities.clone().requires_grad_(true);
  energy(leaf).backward();
  return leaf.grad();
}

TEST(Theorem2, WithoutPairsIsTheOthersTimesTheorem1) {
  for (const int dims : {2, 3})
    for (const int64_t subjects : {2, 4}) {
      const Problem p = make_problem(dims, 8, subjects, 3);
      const Numerics numerics{.steps = 2, .squarings = 2};
      const Weights no_pairs{.lambda = kLambda, .gamma1 = 0, .gamma2 = 0};
      const auto e0 = [&](const at::Tensor& v) {
        return atlas_energy(p.population, v, kLambda, numerics);
      };
      const auto e1 = [&](const at::Tensor& v) {
        return pairwise_energy(p.population, v, no_pairs, numerics);
      };
      const double factor = double(subjects - 1), value = e0(p.velocities).item<double>();
      EXPECT_NEAR(e1(p.velocities).item<double>(), factor * value, 1e-12 * factor * value);
      EXPECT_LT(relative(autograd(e1, p.velocities), factor * autograd(e0, p.velocities)), 1e-12);
      EXPECT_LT(
          relative(pairwise_energy_gradient(p.population, p.velocities, no_pairs, numerics),
                   factor * atlas_energy_gradient(p.population, p.velocities, kLambda, numerics)),
          1e-12);
    }
}

TEST(Theorem2, ImagesThatAlreadyAgreeAddNoPairs) {
  Problem p = make_problem(2, 24, 3, 3);
  p.population.images = p.population.image(0).expand_as(p.population.images).contiguous();
  p.velocities = at::zeros_like(p.velocities);
  const auto gradient = [&](const Weights& weights) {
    return pairwise_energy_gradient(p.population, p.velocities, weights, {.steps = 2});
  };
  EXPECT_LT(relative(gradient({1, 2, 3}), gradient({1, 0, 0})), 1e-12);
}

// x -> A x + b about the middle of the cube, in voxels; its flow backward leads inwards everywhere, so
// that no border is met.
at::Tensor affine_velocity(const UnitCube& cube) {
  const double a[3][3] = {{0.20, 0.08, -0.05}, {-0.06, 0.24, 0.04}, {0.03, -0.05, 0.18}};
  const double b[3] = {0.2, -0.3, 0.2};
  at::Tensor one = at::ones({}, at::kDouble);
  for (int axis = 0; axis < cube.dims(); ++axis) one = one * at::ones_like(cube.coordinate(axis));
  std::vector<at::Tensor> components;
  for (int row = 0; row < cube.dims(); ++row) {
    at::Tensor v = b[row] * one;
    for (int axis = 0; axis < cube.dims(); ++axis)
      v = v + a[row][axis] * cube.voxels_a_unit() * (cube.coordinate(axis) - 0.5) * one;
    components.push_back(v);
  }
  return at::cat(components, 1);
}

TEST(BendingEnergy, OfAnAffineVelocityContributesNothing) {
  for (const int dims : {2, 3})
    for (const Interpolation by : {Interpolation::linear, Interpolation::cubic}) {
      Problem p = make_problem(dims, 12, 2, 3);
      p.velocities = affine_velocity(p.cube).expand_as(p.velocities).contiguous();
      const Numerics numerics{.steps = 4, .squarings = 4, .interpolation = by};
      const Maps maps = integrate(p.velocities, numerics);
      ASSERT_GT(maps.phi_10.abs().max().item<double>(), 0.5);
      EXPECT_LT(regularity_energy(maps).item<double>(), 1e-24);
      const Flow flow(p.velocities.narrow(0, 0, 1), numerics);
      EXPECT_LT(regularity_gradient(flow).abs().max().item<double>(), 1e-10);
      // Whatever its weight: energy and derivative of Theorem 2 are the same.
      const Weights without{0, 1, 1}, with{1e3, 1, 1};
      const double value =
          pairwise_energy(p.population, p.velocities, without, numerics).item<double>();
      EXPECT_NEAR(pairwise_energy(p.population, p.velocities, with, numerics).item<double>(), value,
                  1e-12 * value);
      EXPECT_LT(relative(pairwise_energy_gradient(p.population, p.velocities, with, numerics),
                         pairwise_energy_gradient(p.population, p.velocities, without, numerics)),
                1e-8);
    }
}

TEST(BendingEnergy, OfOtherVelocitiesDoes) {
  const Problem p = make_problem(2, 12, 2, 3);
  EXPECT_GT(regularity_energy(integrate(p.velocities, {})).item<double>(), 1e-3);
  EXPECT_GT(regularity_gradient(Flow(p.velocities.narrow(0, 0, 1), {})).abs().max().item<double>(),
            1e-4);
}

}  // namespace
}  // namespace aladdin::theory
