#include "aladdin/ops/plain.h"

#include <cmath>

#include "aladdin/kernels/similarity.h"

namespace aladdin::ops::plain {
namespace {

// The tensor dimension of the spatial axis 0 (x), 1 (y) or 2 (z).
int64_t dim_of(const at::Tensor& tensor, int axis) { return tensor.dim() - 1 - axis; }

// The grid that at::grid_sampler reads: (n, …, dims), -1 … 1 from the first to the last voxel.
at::Tensor sampling_grid(const at::Tensor& u) {
  const int dims = int(u.size(1));
  std::vector<at::Tensor> coordinates;
  for (int axis = 0; axis < dims; ++axis) {
    const int64_t size = u.size(dim_of(u, axis));
    std::vector<int64_t> shape(u.dim() - 1, 1);
    shape[shape.size() - 1 - axis] = size;
    const at::Tensor position = at::arange(size, u.options()).view(shape) + u.select(1, axis);
    coordinates.push_back(size > 1 ? position * (2.0 / double(size - 1)) - 1.0
                                   : at::zeros_like(position));
  }
  return at::stack(coordinates, -1);
}

// Second differences over the voxels that have all neighbours; i, j are axes.
at::Tensor shifted(const at::Tensor& u, int i, int step_i, int j, int step_j) {
  at::Tensor out = u;
  for (int axis = 0; axis < u.dim() - 2; ++axis) {
    const int64_t size = u.size(dim_of(u, axis));
    if (size < 3) continue;
    const int64_t start = 1 + (axis == i ? step_i : 0) + (axis == j ? step_j : 0);
    out = out.narrow(dim_of(u, axis), start, size - 2);
  }
  return out;
}

}  // namespace

at::Tensor warp(const at::Tensor& in, const at::Tensor& u, kernels::Border border) {
  constexpr int64_t kBilinear = 0, kZeros = 0, kBorder = 1;
  return at::grid_sampler(in, sampling_grid(u), kBilinear,
                          border == kernels::Border::clamp ? kBorder : kZeros,
                          /*align_corners=*/true);
}

at::Tensor compose(const at::Tensor& v, const at::Tensor& u) {
  return u + warp(v, u, kernels::Border::clamp);
}

at::Tensor exponential(const at::Tensor& v, int squarings, double sign, kernels::Border border) {
  at::Tensor u = v * std::ldexp(sign, -squarings);
  for (int k = 0; k < squarings; ++k) u = u + warp(u, u, border);
  return u;
}

at::Tensor jacobian_determinant(const at::Tensor& u) {
  const int dims = int(u.size(1));
  std::vector<std::vector<at::Tensor>> j(dims, std::vector<at::Tensor>(dims));
  for (int row = 0; row < dims; ++row)
    for (int axis = 0; axis < dims; ++axis) {
      const at::Tensor component = u.narrow(1, row, 1);
      const int64_t dim = dim_of(u, axis), size = u.size(dim);
      if (size == 1) {
        j[row][axis] = at::zeros_like(component);
      } else {
        const auto part = [&](int64_t from, int64_t count) {
          return component.narrow(dim, from, count);
        };
        std::vector<at::Tensor> pieces{part(1, 1) - part(0, 1)};
        if (size > 2) pieces.push_back(0.5 * (part(2, size - 2) - part(0, size - 2)));
        pieces.push_back(part(size - 1, 1) - part(size - 2, 1));
        j[row][axis] = at::cat(pieces, dim);
      }
      if (row == axis) j[row][axis] = j[row][axis] + 1;
    }
  if (dims == 2) return j[0][0] * j[1][1] - j[0][1] * j[1][0];
  return j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) -
         j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0]) +
         j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]);
}

at::Tensor bending_energy(const at::Tensor& u, const std::array<double, 3>& spacing) {
  const int dims = int(u.size(1));
  std::vector<int64_t> per_component(u.dim(), 1);
  per_component[1] = dims;
  const at::Tensor component_scale =
      at::tensor(std::vector<double>(spacing.begin(), spacing.begin() + dims), u.options())
          .view(per_component);
  at::Tensor energy = 0 * u.sum();  // a graph even where no axis takes part
  for (int i = 0; i < dims; ++i)
    for (int j = i; j < dims; ++j) {
      if (u.size(dim_of(u, i)) < 3 || u.size(dim_of(u, j)) < 3) continue;
      const at::Tensor second =
          i == j ? shifted(u, i, 1, -1, 0) - 2 * shifted(u, -1, 0, -1, 0) + shifted(u, i, -1, -1, 0)
                 : 0.25 * (shifted(u, i, 1, j, 1) - shifted(u, i, 1, j, -1) -
                           shifted(u, i, -1, j, 1) + shifted(u, i, -1, j, -1));
      const at::Tensor physical = second * component_scale / (spacing[i] * spacing[j]);
      energy = energy + (i == j ? 1 : 2) * physical.square().mean() * dims;
    }
  return energy;
}

at::Tensor mse(const at::Tensor& a, const at::Tensor& b) { return (a - b).square().mean(); }

at::Tensor ncc(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor p = a.flatten(1), q = b.flatten(1);
  const at::Tensor da = p - p.mean({1}, true), db = q - q.mean({1}, true);
  const at::Tensor aa = da.square().mean({1}) + kernels::kNccEpsilon;
  const at::Tensor bb = db.square().mean({1}) + kernels::kNccEpsilon;
  return 1 - ((da * db).mean({1}) / (aa * bb).sqrt()).mean();
}

at::Tensor lncc(const at::Tensor& a, const at::Tensor& b, int window) {
  const int64_t dims = a.dim() - 2;
  const std::vector<int64_t> kernel(dims, window), stride(dims, 1), pad(2 * dims, window / 2);
  const auto pooled = [&](const at::Tensor& x) {
    const at::Tensor padded = at::constant_pad_nd(x, pad);
    return dims == 3 ? at::avg_pool3d(padded, kernel, stride)
                     : at::avg_pool2d(padded, kernel, stride);
  };
  const at::Tensor inside = pooled(at::ones_like(a.narrow(0, 0, 1)));
  const auto local_mean = [&](const at::Tensor& x) { return pooled(x) / inside; };
  const at::Tensor ma = local_mean(a), mb = local_mean(b);
  const at::Tensor aa = (local_mean(a * a) - ma * ma).clamp_min(0),
                   bb = (local_mean(b * b) - mb * mb).clamp_min(0);
  const at::Tensor ab = local_mean(a * b) - ma * mb;
  constexpr double noise = kernels::kLnccEpsilon;
  return 1 - ((ab + noise).square() / ((aa + noise) * (bb + noise))).mean();
}

}  // namespace aladdin::ops::plain
