#include "gradient.h"

#include "aladdin/ops/jacobian.h"
#include "differential.h"

namespace aladdin::theory {
namespace {

// What the terms have in common: -2 int_0^1 |D Phi_{t,1}| (J_t - J_t^i) grad J_t dt, where `moving` is
// taken to I_i along the whole flow.
at::Tensor matching_gradient(const at::Tensor& moving, const at::Tensor& image, const Flow& flow) {
  return -2 * flow.integral([&](int k) {
    const at::Tensor j = flow.pull(moving, flow.to_start(k));
    const at::Tensor j_i = flow.pull(image, flow.to_end(k));
    return ops::jacobian_determinant(flow.to_end(k)) * (j - j_i) * image_gradient(j);
  });
}

}  // namespace

at::Tensor similarity_gradient(const at::Tensor& atlas, const at::Tensor& image, const Flow& flow) {
  const at::NoGradGuard no_grad;
  return matching_gradient(atlas, image, flow);
}

at::Tensor regularity_gradient(const Flow& flow) {
  const at::NoGradGuard no_grad;
  const at::Tensor twice_bilaplacian = bending_derivative(flow.whole_backward());
  return -flow.integral([&](int k) {
    const at::Tensor pulled = flow.pull(twice_bilaplacian, flow.to_end(k));
    return ops::jacobian_determinant(flow.to_end(k)) *
           transposed_jacobian_product(flow.to_start(k), pulled);
  });
}

at::Tensor atlas_pair_gradient(const at::Tensor& backward_mean, int64_t population_size,
                               const at::Tensor& image, const Flow& flow) {
  const at::NoGradGuard no_grad;
  return -2.0 * double(population_size) * flow.integral([&](int k) {
    const at::Tensor j_hat = flow.pull(backward_mean, flow.to_start(k));
    const at::Tensor j_i = flow.pull(image, flow.to_end(k));
    return ops::jacobian_determinant(flow.to_start(k)) * (j_hat - j_i) * image_gradient(j_i);
  });
}

at::Tensor image_pair_source_gradient(const ForwardMean& forward_mean, const at::Tensor& image,
                                      const Flow& flow) {
  const at::NoGradGuard no_grad;
  return -2 * flow.integral([&](int k) {
    const at::Tensor weight = flow.pull(forward_mean.weight, flow.to_start(k));
    const at::Tensor j_tilde = flow.pull(forward_mean.image, flow.to_start(k));
    const at::Tensor j_i = flow.pull(image, flow.to_end(k));
    return weight * ops::jacobian_determinant(flow.to_start(k)) * (j_tilde - j_i) *
           image_gradient(j_i);
  });
}

at::Tensor image_pair_target_gradient(const at::Tensor& warped, int64_t i, const at::Tensor& image,
                                      const Flow& flow) {
  const at::NoGradGuard no_grad;
  at::Tensor sum = at::zeros_like(flow.whole_backward());
  for (int64_t j = 0; j < warped.size(0); ++j)
    if (j != i) sum += matching_gradient(warped.narrow(0, j, 1), image, flow);  // j = i gives zero
  return sum;
}

at::Tensor atlas_energy_gradient(const Population& population, const at::Tensor& velocities,
                                 double lambda, const Numerics& numerics) {
  std::vector<at::Tensor> out;
  for (int64_t i = 0; i < population.size(); ++i) {
    const Flow flow(velocities.narrow(0, i, 1), numerics);
    out.push_back(lambda * regularity_gradient(flow) +
                  similarity_gradient(population.atlas, population.image(i), flow));
  }
  return at::cat(out, 0);
}

at::Tensor pairwise_energy_gradient(const Population& population, const at::Tensor& velocities,
                                    const Weights& weights, const Numerics& numerics) {
  const at::NoGradGuard no_grad;
  const int64_t count = population.size();
  const Maps maps = integrate(velocities, numerics);
  const at::Tensor warped = warp_to_atlas(population, maps, numerics.interpolation);
  const at::Tensor hat = backward_mean(warped);
  const ForwardMean tilde = forward_mean(warped, maps);
  std::vector<at::Tensor> out;
  for (int64_t i = 0; i < count; ++i) {
    const at::Tensor image = population.image(i);
    const Flow flow(velocities.narrow(0, i, 1), numerics);
    out.push_back(double(count - 1) * (weights.lambda * regularity_gradient(flow) +
                                       similarity_gradient(population.atlas, image, flow)) +
                  weights.gamma1 * atlas_pair_gradient(hat, count, image, flow) +
                  weights.gamma2 * (image_pair_source_gradient(tilde, image, flow) +
                                    image_pair_target_gradient(warped, i, image, flow)));
  }
  return at::cat(out, 0);
}

}  // namespace aladdin::theory
