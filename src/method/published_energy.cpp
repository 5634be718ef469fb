#include "aladdin/method/published_energy.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

int64_t size_along(const at::Tensor& u, int axis) { return u.size(u.dim() - 1 - axis); }

// u(x + i + j) of the interior voxels x, the steps signed; an axis too short for an interior is whole.
at::Tensor shifted(const at::Tensor& u, int i, int step_i, int j, int step_j) {
  at::Tensor out = u;
  for (int axis = 0; axis < int(u.size(1)); ++axis) {
    if (size_along(u, axis) < 3) continue;
    const int64_t start = 1 + (axis == i ? step_i : 0) + (axis == j ? step_j : 0);
    out = out.narrow(u.dim() - 1 - axis, start, size_along(u, axis) - 2);
  }
  return out;
}

at::Tensor second_difference(const at::Tensor& u, int i, int j) {
  if (i == j)
    return shifted(u, i, 1, -1, 0) - 2 * shifted(u, -1, 0, -1, 0) + shifted(u, i, -1, -1, 0);
  return shifted(u, i, 1, j, 1) - shifted(u, i, 1, j, -1) - shifted(u, i, -1, j, 1) +
         shifted(u, i, -1, j, -1);
}

}  // namespace

at::Tensor published_bending_energy(const at::Tensor& to_atlas) {
  const int dims = int(to_atlas.size(1));
  std::vector<int64_t> sizes;
  for (int axis = 0; axis < dims; ++axis) sizes.push_back(size_along(to_atlas, axis));
  const auto smallest = double(*std::min_element(sizes.begin(), sizes.end()));
  std::vector<at::Tensor> components;
  for (int c = 0; c < dims; ++c) {
    // To [-1, 1], and the weight of the component, in one factor.
    const double unit = sizes[c] > 1 ? 2.0 / double(sizes[c] - 1) : 0.0;
    components.push_back(to_atlas.narrow(1, c, 1) * (unit * double(sizes[c]) / smallest));
  }
  const at::Tensor u = at::cat(components, 1);
  at::Tensor energy = 0 * u.sum();  // a graph even where no axis takes part
  for (int i = 0; i < dims; ++i)
    for (int j = i; j < dims; ++j) {
      if (sizes[i] < 3 || sizes[j] < 3) continue;
      energy = energy + (i == j ? 1 : 2) * second_difference(u, i, j).square().mean();
    }
  return energy / double(dims * dims);
}

Terms published_energy(const LossConfig& config, const at::Tensor& atlas, const Batch& batch,
                       const Fields& fields) {
  const at::Tensor& images = batch.images;
  const int64_t n = images.size(0);
  if (n > 1 && n % 2 == 1)
    fail("the published energy pairs the two halves of a batch, and this one has {} images", n);
  const Dissimilarity dissimilarity(config);
  const auto compare = [&](const at::Tensor& a, const at::Tensor& b, const at::Tensor& mask) {
    const at::Tensor mean = dissimilarity(a, b, mask);
    return config.similarity == SimilarityKind::mse ? mean / double(a.size(0)) : mean;
  };
  Terms terms;
  const auto add = [&](double weight, const at::Tensor& term, double& value) {
    value = term.item<double>();
    const at::Tensor weighted = term * weight;
    terms.energy = terms.energy.defined() ? terms.energy + weighted : weighted;
  };

  const at::Tensor seen = ops::warp(atlas.expand(images.sizes()), fields.to_atlas);
  add(config.sim, compare(seen, images, batch.masks), terms.sim);
  add(config.lambda, published_bending_energy(fields.to_atlas_coarse), terms.reg);
  if (n < 2) return terms;
  if (config.gamma1 > 0) {
    const at::Tensor moved = ops::warp(images, fields.to_subject);
    add(config.gamma1, compare(moved.narrow(0, 0, n / 2), moved.narrow(0, n / 2, n / 2), {}),
        terms.atlas_pairs);
  }
  if (config.gamma2 > 0) {
    const at::Tensor through = ops::compose(fields.to_subject, fields.to_atlas.flip({0}));
    add(config.gamma2,
        compare(ops::warp(images, through), images.flip({0}),
                batch.masks.defined() ? batch.masks.flip({0}) : at::Tensor()),
        terms.image_pairs);
  }
  return terms;
}

}  // namespace aladdin
