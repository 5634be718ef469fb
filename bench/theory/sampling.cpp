#include "sampling.h"

#include <array>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/ops/exponential.h"
#include "aladdin/ops/warp.h"

namespace aladdin::theory {
namespace {

// The four voxels around each position along one axis, and their weights.
struct Taps {
  at::Tensor first;  // index of the first, in the padded image
  std::array<at::Tensor, 4> weight;
};

Taps catmull_rom(const at::Tensor& u, int axis) {
  const int64_t dim = u.dim() - 2 - axis, size = u.size(dim + 1);
  std::vector<int64_t> shape(u.dim() - 1, 1);
  shape[dim] = size;
  const at::Tensor position =
      (at::arange(size, u.options()).view(shape) + u.select(1, axis)).clamp(0, double(size - 1));
  const at::Tensor cell = position.detach().floor().clamp_max(double(size - 2));
  const at::Tensor t = position - cell, t2 = t * t, t3 = t2 * t;
  return {cell.to(at::kLong),
          {-0.5 * t3 + t2 - 0.5 * t, 1.5 * t3 - 2.5 * t2 + 1, -1.5 * t3 + 2 * t2 + 0.5 * t,
           0.5 * t3 - 0.5 * t2}};
}

// One voxel more at each end of every axis, on the line through the two outermost.
at::Tensor extrapolated(at::Tensor in) {
  for (int64_t dim = 2; dim < in.dim(); ++dim) {
    const int64_t size = in.size(dim);
    const auto voxel = [&](int64_t i) { return in.narrow(dim, i, 1); };
    in = at::cat({2 * voxel(0) - voxel(1), in, 2 * voxel(size - 1) - voxel(size - 2)}, dim);
  }
  return in;
}

class CubicWarp {
 public:
  CubicWarp(const at::Tensor& in, const at::Tensor& u)
      : n_(in.size(0)), channels_(in.size(1)), sizes_(in.sizes().vec()), dims_(int(u.size(1))) {
    const at::Tensor padded = extrapolated(in);
    for (int axis = 0; axis < dims_; ++axis) {
      taps_.push_back(catmull_rom(u, axis));
      stride_.push_back(axis == 0 ? 1 : stride_.back() * padded.size(padded.dim() - axis));
    }
    flat_ = padded.flatten(2);
  }

  at::Tensor operator()() const {
    return sum(dims_ - 1, at::zeros({}, at::TensorOptions(at::kLong)));
  }

 private:
  // Over the taps of this axis and of those below it.
  at::Tensor sum(int axis, const at::Tensor& offset) const {
    if (axis < 0)
      return flat_.gather(2, offset.reshape({n_, 1, -1}).expand({n_, channels_, -1})).view(sizes_);
    at::Tensor out;
    for (int64_t tap = 0; tap < 4; ++tap) {
      const at::Tensor part = sum(axis - 1, offset + (taps_[axis].first + tap) * stride_[axis]) *
                              taps_[axis].weight[tap].unsqueeze(1);
      out = out.defined() ? out + part : part;
    }
    return out;
  }

  int64_t n_, channels_;
  std::vector<int64_t> sizes_;
  int dims_;
  at::Tensor flat_;
  std::vector<Taps> taps_;
  std::vector<int64_t> stride_;
};

}  // namespace

at::Tensor warp(const at::Tensor& in, const at::Tensor& u, Interpolation interpolation) {
  if (interpolation == Interpolation::linear) return ops::warp(in, u);
  ops::require_displacement(u, "cubic warp");
  ops::require_same_grid(in, u, "cubic warp");
  for (int64_t dim = 2; dim < in.dim(); ++dim)
    if (in.size(dim) < 2) fail("cubic warp: an axis of one voxel, expected at least two");
  return CubicWarp(in, u)();
}

at::Tensor compose(const at::Tensor& v, const at::Tensor& u, Interpolation interpolation) {
  return u + warp(v, u, interpolation);
}

at::Tensor exponential(const at::Tensor& v, double sign, int squarings,
                       Interpolation interpolation) {
  if (interpolation == Interpolation::linear) return ops::exponential(v, squarings, sign);
  at::Tensor u = v * std::ldexp(sign, -squarings);
  for (int k = 0; k < squarings; ++k) u = compose(u, u, interpolation);
  return u;
}

}  // namespace aladdin::theory
