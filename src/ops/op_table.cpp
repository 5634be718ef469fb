#include "aladdin/ops/op_table.h"

#include <cmath>

#include "aladdin/core/rng.h"
#include "aladdin/ops/bending.h"
#include "aladdin/ops/exponential.h"
#include "aladdin/ops/jacobian.h"
#include "aladdin/ops/plain.h"
#include "aladdin/ops/similarity.h"
#include "aladdin/ops/warp.h"

namespace aladdin::ops {
namespace {

using Inputs = Op::Inputs;
using kernels::Border;
using kernels::Shape;

std::vector<int64_t> sizes(const Shape& s, int64_t channels) {
  if (s.dims == 2) return {s.n, channels, s.h, s.w};
  return {s.n, channels, s.d, s.h, s.w};
}

template <class Value>
at::Tensor filled(const Shape& s, int64_t channels, Value&& value) {
  at::Tensor tensor = at::empty(sizes(s, channels), at::kDouble);
  double* data = tensor.data_ptr<double>();
  for (int64_t i = 0; i < tensor.numel(); ++i) data[i] = value(i);
  return tensor;
}

at::Tensor noise(const Shape& s, int64_t channels, std::uint64_t seed) {
  Rng rng(seed);
  return filled(s, channels, [&](int64_t) { return rng.uniform(); });
}

// Up to two voxels either way (so some leave the grid), never near a whole number.
at::Tensor rough_map(const Shape& s, std::uint64_t seed) {
  Rng rng(seed);
  return filled(s, s.dims,
                [&](int64_t) { return double(rng.below(4)) - 2 + rng.uniform(0.2, 0.8); });
}

// Smooth waves of about one and a half voxels.
at::Tensor smooth_map(const Shape& s, std::uint64_t seed) {
  Rng rng(seed);
  const double phase = rng.uniform(0, 6), a = rng.uniform(0.1, 0.3), b = rng.uniform(0.1, 0.3);
  return filled(s, s.dims, [&](int64_t i) {
    const int64_t x = i % s.w, y = i / s.w % s.h, z = i / (s.w * s.h) % s.d, c = i / s.voxels();
    return 1.5 *
               std::sin(phase + 2.1 * double(c) + a * double(x) + b * double(y) + 0.2 * double(z)) +
           0.013;
  });
}

Inputs image_and_map(const Shape& s, std::uint64_t seed) {
  return {noise(s, 1, seed), rough_map(s, seed + 1)};
}
Inputs two_maps(const Shape& s, std::uint64_t seed) {
  return {smooth_map(s, seed), rough_map(s, seed + 1)};
}
Inputs one_map(const Shape& s, std::uint64_t seed) { return {smooth_map(s, seed)}; }
Inputs two_images(const Shape& s, std::uint64_t seed) {
  const at::Tensor first = noise(s, 1, seed);
  return {first, 0.5 * first + 0.5 * noise(s, 1, seed + 1)};
}

constexpr std::array<double, 3> kSpacing{0.7, 1.1, 1.9};

}  // namespace

const std::vector<Op>& op_table() {
  static const std::vector<Op> table{
      {"warp_clamp", image_and_map,
       [](const Inputs& in) { return warp(in[0], in[1], Border::clamp); },
       [](const Inputs& in) { return plain::warp(in[0], in[1], Border::clamp); }},
      {"warp_zero", image_and_map,
       [](const Inputs& in) { return warp(in[0], in[1], Border::zero); },
       [](const Inputs& in) { return plain::warp(in[0], in[1], Border::zero); }},
      {"warp_vectors", two_maps, [](const Inputs& in) { return warp(in[0], in[1], Border::clamp); },
       [](const Inputs& in) { return plain::warp(in[0], in[1], Border::clamp); }},
      {"compose", two_maps, [](const Inputs& in) { return compose(in[0], in[1]); },
       [](const Inputs& in) { return plain::compose(in[0], in[1]); }},
      {"exponential", one_map, [](const Inputs& in) { return exponential(in[0], 7, 1); },
       [](const Inputs& in) { return plain::exponential(in[0], 7, 1, Border::clamp); }},
      {"exponential_backwards", one_map, [](const Inputs& in) { return exponential(in[0], 3, -1); },
       [](const Inputs& in) { return plain::exponential(in[0], 3, -1, Border::clamp); }},
      {"exponential_zero", one_map,
       [](const Inputs& in) { return exponential(in[0], 7, 1, Border::zero); },
       [](const Inputs& in) { return plain::exponential(in[0], 7, 1, Border::zero); }},
      {"jacobian_determinant", one_map,
       [](const Inputs& in) { return jacobian_determinant(in[0]); },
       [](const Inputs& in) { return plain::jacobian_determinant(in[0]); }},
      {"bending_energy", one_map, [](const Inputs& in) { return bending_energy(in[0], kSpacing); },
       [](const Inputs& in) { return plain::bending_energy(in[0], kSpacing); }},
      {"mse", two_images, [](const Inputs& in) { return mse(in[0], in[1]); },
       [](const Inputs& in) { return plain::mse(in[0], in[1]); }},
      {"ncc", two_images, [](const Inputs& in) { return ncc(in[0], in[1]); },
       [](const Inputs& in) { return plain::ncc(in[0], in[1]); }},
      {"lncc_5", two_images, [](const Inputs& in) { return lncc(in[0], in[1], 5); },
       [](const Inputs& in) { return plain::lncc(in[0], in[1], 5); }},
      {"lncc_9", two_images, [](const Inputs& in) { return lncc(in[0], in[1], 9); },
       [](const Inputs& in) { return plain::lncc(in[0], in[1], 9); }},
  };
  return table;
}

}  // namespace aladdin::ops
