#include "aladdin/measure/smooth.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"

namespace aladdin::measure {
namespace {

// Weights of 0, 1, 2, … voxels' distance. They need not sum to 1: the quotient is what counts.
std::vector<double> half_kernel(double sigma_vox, std::int64_t size) {
  std::vector<double> weights;
  for (std::int64_t r = 0; r < size && double(r) <= std::ceil(4 * sigma_vox); ++r)
    weights.push_back(std::exp(-0.5 * std::pow(double(r) / sigma_vox, 2)));
  return weights;
}

void convolve(std::vector<double>& values, const Grid& grid, int axis,
              const std::vector<double>& weights) {
  const std::int64_t n = grid.size[axis];
  std::int64_t stride = 1;
  for (int a = 0; a < axis; ++a) stride *= grid.size[a];
  const auto radius = static_cast<std::int64_t>(weights.size()) - 1;
  std::vector<double> line(static_cast<std::size_t>(n));
  for (std::int64_t first = 0; first < grid.voxels(); ++first) {
    if (first / stride % n != 0) continue;
    for (std::int64_t i = 0; i < n; ++i) line[i] = values[first + i * stride];
    for (std::int64_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::int64_t j = std::max<std::int64_t>(0, i - radius); j <= std::min(n - 1, i + radius);
           ++j)
        sum += weights[std::abs(i - j)] * line[j];
      values[first + i * stride] = sum;
    }
  }
}

}  // namespace

void smooth(Image& image, const std::vector<std::uint8_t>& mask, double fwhm_mm) {
  if (!(fwhm_mm >= 0 && std::isfinite(fwhm_mm)))
    fail("a smoothing of {} mm, expected 0 or more", fwhm_mm);
  const Grid& grid = image.grid;
  std::vector<double> values(image.values.size()), weight(image.values.size());
  for (std::size_t v = 0; v < values.size(); ++v) {
    weight[v] = mask[v] ? 1 : 0;
    values[v] = mask[v] ? image.values[v] : 0;
  }
  const double sigma_mm = fwhm_mm / std::sqrt(8 * std::log(2.0));
  if (fwhm_mm > 0)
    for (int axis = 0; axis < grid.dims; ++axis) {
      const auto weights = half_kernel(sigma_mm / grid.spacing[axis], grid.size[axis]);
      convolve(values, grid, axis, weights);
      convolve(weight, grid, axis, weights);
    }
  for (std::size_t v = 0; v < values.size(); ++v)
    image.values[v] = mask[v] ? static_cast<float>(values[v] / weight[v]) : 0;
}

}  // namespace aladdin::measure
