#include "mean_image.h"

#include "aladdin/ops/jacobian.h"

namespace aladdin::theory {

at::Tensor warp_to_atlas(const Population& population, const Maps& maps,
                         Interpolation interpolation) {
  return warp(population.images, maps.phi_01, interpolation);
}

at::Tensor backward_mean(const at::Tensor& warped) { return warped.mean(0, /*keepdim=*/true); }

ForwardMean forward_mean(const at::Tensor& warped, const Maps& maps) {
  const at::Tensor determinants = ops::jacobian_determinant(maps.phi_01);
  const at::Tensor weight = determinants.sum(0, /*keepdim=*/true);
  return {(determinants * warped).sum(0, /*keepdim=*/true) / weight, weight};
}

}  // namespace aladdin::theory
