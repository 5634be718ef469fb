#include "aladdin/evaluate/sharpness.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "aladdin/core/error.h"

namespace aladdin::evaluate {
namespace {

double gradient_energy(const Image& image) {
  const auto& [w, h, d] = image.grid.size;
  const std::int64_t stride[3] = {1, w, w * h};
  double sum = 0;
  for (std::int64_t v = 0; v < image.grid.voxels(); ++v) {
    const std::int64_t at[3] = {v % w, v / w % h, v / (w * h)};
    for (int axis = 0; axis < image.grid.dims; ++axis) {
      const std::int64_t low = at[axis] > 0 ? 1 : 0;
      const std::int64_t high = at[axis] + 1 < image.grid.size[axis] ? 1 : 0;
      if (low + high == 0) continue;
      const double difference = double(image.values[v + high * stride[axis]]) -
                                double(image.values[v - low * stride[axis]]);
      const double g = difference / (double(low + high) * image.grid.spacing[axis]);
      sum += g * g;
    }
  }
  return sum / static_cast<double>(image.grid.voxels());
}

double entropy_bits(const Image& image, float low, float high) {
  constexpr int kBins = 256;
  std::array<std::int64_t, kBins> count{};
  for (const float value : image.values) {
    const double share = (double(value) - low) / (double(high) - low);
    ++count[std::min(kBins - 1, static_cast<int>(share * kBins))];
  }
  double bits = 0;
  for (const std::int64_t n : count) {
    if (n == 0) continue;
    const double p = static_cast<double>(n) / static_cast<double>(image.values.size());
    bits -= p * std::log2(p);
  }
  return bits;
}

}  // namespace

Sharpness measure_sharpness(const Image& image) {
  double sum = 0, squares = 0;
  for (const float value : image.values) {
    if (!std::isfinite(value)) fail("an image with values that are not finite has no sharpness");
    sum += value;
  }
  const double mean = sum / static_cast<double>(image.values.size());
  for (const float value : image.values) squares += (value - mean) * (value - mean);
  const auto [low, high] = std::minmax_element(image.values.begin(), image.values.end());
  Sharpness sharpness;
  if (*low == *high) return sharpness;
  sharpness.gradient_energy = gradient_energy(image);
  sharpness.relative_energy =
      sharpness.gradient_energy / (squares / static_cast<double>(image.values.size()));
  sharpness.entropy_bits = entropy_bits(image, *low, *high);
  return sharpness;
}

}  // namespace aladdin::evaluate
