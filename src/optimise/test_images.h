// Smooth synthetic images for the tests of this folder.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "aladdin/core/rng.h"
#include "aladdin/kernels/exponential.h"
#include "aladdin/kernels/warp.h"

namespace aladdin::testing {

using Values = std::vector<float>;

// Blobs of random place and width on a dark ground, in [0, 1]; long in one direction, so that a rotation shows.
inline Values blobs(const kernels::Shape& s, std::uint64_t seed, int count = 8) {
  Rng rng(seed, 1);
  Values out(static_cast<std::size_t>(s.voxels()), 0.0F);
  for (int b = 0; b < count; ++b) {
    const double x0 = s.w * (0.25 + 0.5 * rng.uniform()), y0 = s.h * (0.35 + 0.3 * rng.uniform()),
                 z0 = s.d * (0.35 + 0.3 * rng.uniform()), r = 2 + 3 * rng.uniform(),
                 height = 0.3 + 0.5 * rng.uniform();
    std::size_t v = 0;
    for (std::int64_t z = 0; z < s.d; ++z)
      for (std::int64_t y = 0; y < s.h; ++y)
        for (std::int64_t x = 0; x < s.w; ++x, ++v) {
          const double d =
              ((x - x0) * (x - x0) + (y - y0) * (y - y0) + (s.d > 1 ? (z - z0) * (z - z0) : 0)) /
              (r * r);
          out[v] = std::min(1.0F, out[v] + float(height * std::exp(-d)));
        }
  }
  return out;
}

// A smooth velocity of waves, at most `amplitude` voxels.
inline Values waves(const kernels::Shape& s, double amplitude, std::uint64_t seed) {
  Rng rng(seed, 2);
  Values v(static_cast<std::size_t>(s.dims * s.voxels()));
  for (int c = 0; c < s.dims; ++c) {
    const double a = 6 * rng.uniform(), b = 6 * rng.uniform(), d = 6 * rng.uniform();
    std::size_t i = 0;
    for (std::int64_t z = 0; z < s.d; ++z)
      for (std::int64_t y = 0; y < s.h; ++y)
        for (std::int64_t x = 0; x < s.w; ++x, ++i)
          v[c * s.voxels() + i] =
              float(amplitude * std::sin(6.3 * double(x) / double(s.w) + a) *
                    std::sin(6.3 * double(y) / double(s.h) + b) *
                    (s.d > 1 ? std::sin(6.3 * double(z) / double(s.d) + d) : 1.0));
  }
  return v;
}

// image o exp(v), v on the image's grid.
inline Values moved(const Values& image, const Values& v, const kernels::Shape& s) {
  Values u(v.size()), out(image.size());
  kernels::exponential(v.data(), u.data(), s, 7);
  kernels::warp(image.data(), u.data(), out.data(), s, 1, kernels::Border::clamp);
  return out;
}

}  // namespace aladdin::testing
