#include "energy.h"

#include "aladdin/ops/bending.h"

namespace aladdin::theory {
namespace {

at::Tensor squared_norm(const at::Tensor& f) { return f.square().sum(); }

// Voxels that have all neighbours, over which ops::bending_energy is a mean.
double interior_voxels(const at::Tensor& u) {
  double count = 1;
  for (int64_t dim = 2; dim < u.dim(); ++dim) count *= double(u.size(dim) - 2);
  return count;
}

}  // namespace

Maps integrate(const at::Tensor& velocities, const Numerics& n) {
  return {exponential(velocities, 1, n.squarings, n.interpolation),
          exponential(velocities, -1, n.squarings, n.interpolation)};
}

at::Tensor similarity_energy(const at::Tensor& atlas, const at::Tensor& image, const Maps& maps,
                             Interpolation interpolation) {
  return squared_norm(warp(atlas, maps.phi_10, interpolation) - image);
}

at::Tensor regularity_energy(const Maps& maps) {
  return ops::bending_energy(maps.phi_10) * (interior_voxels(maps.phi_10) * maps.phi_10.size(0));
}

at::Tensor atlas_pair_energy(const at::Tensor& image_i, const Maps& maps_i,
                             const at::Tensor& image_j, const Maps& maps_j,
                             Interpolation interpolation) {
  return squared_norm(warp(image_i, maps_i.phi_01, interpolation) -
                      warp(image_j, maps_j.phi_01, interpolation));
}

at::Tensor image_pair_energy(const at::Tensor& image_i, const Maps& maps_i,
                             const at::Tensor& image_j, const Maps& maps_j,
                             Interpolation interpolation) {
  const at::Tensor in_atlas_space = warp(image_i, maps_i.phi_01, interpolation);
  return squared_norm(warp(in_atlas_space, maps_j.phi_10, interpolation) - image_j);
}

at::Tensor atlas_energy(const Population& population, const at::Tensor& velocities, double lambda,
                        const Numerics& numerics) {
  const Maps maps = integrate(velocities, numerics);
  at::Tensor energy = at::zeros({}, velocities.options());
  for (int64_t i = 0; i < population.size(); ++i)
    energy = energy + lambda * regularity_energy(maps.of(i)) +
             similarity_energy(population.atlas, population.image(i), maps.of(i),
                               numerics.interpolation);
  return energy;
}

at::Tensor pairwise_energy(const Population& population, const at::Tensor& velocities,
                           const Weights& weights, const Numerics& numerics) {
  const Maps maps = integrate(velocities, numerics);
  const Interpolation by = numerics.interpolation;
  const auto single = [&](int64_t i) {
    return weights.lambda * regularity_energy(maps.of(i)) +
           similarity_energy(population.atlas, population.image(i), maps.of(i), by);
  };
  at::Tensor energy = at::zeros({}, velocities.options());
  for (int64_t i = 0; i < population.size(); ++i)
    for (int64_t j = i + 1; j < population.size(); ++j) {
      const at::Tensor image_i = population.image(i), image_j = population.image(j);
      const Maps maps_i = maps.of(i), maps_j = maps.of(j);
      energy = energy + single(i) + single(j) +
               weights.gamma1 * atlas_pair_energy(image_i, maps_i, image_j, maps_j, by) +
               weights.gamma2 * (image_pair_energy(image_i, maps_i, image_j, maps_j, by) +
                                 image_pair_energy(image_j, maps_j, image_i, maps_i, by));
    }
  return energy;
}

}  // namespace aladdin::theory
