#include "aladdin/transform/jacobian.h"

#include <algorithm>
#include <cmath>

#include "aladdin/image/shape.h"
#include "aladdin/kernels/jacobian.h"

namespace aladdin {

Image jacobian_determinant(const Displacement& displacement) {
  const Grid& grid = displacement.grid();
  const VectorImage voxels = mm_to_voxels(displacement.vectors);
  Image determinant(grid);
  kernels::jacobian_determinant(voxels.values.data(), determinant.values.data(), shape_of(grid));
  return determinant;
}

JacobianSummary summarise_jacobian(const Displacement& displacement) {
  const Image determinant = jacobian_determinant(displacement);
  JacobianSummary summary;
  const auto [low, high] =
      std::minmax_element(determinant.values.begin(), determinant.values.end());
  summary.min = *low;
  summary.max = *high;
  double sum = 0, log_sum = 0, log_squares = 0, positive = 0;
  for (const float value : determinant.values) {
    sum += value;
    summary.folds += !(value >= 0);
    if (!(value > 0)) continue;
    const double logarithm = std::log(value);
    log_sum += logarithm;
    log_squares += logarithm * logarithm;
    ++positive;
  }
  summary.mean = sum / static_cast<double>(determinant.values.size());
  if (positive > 0) {
    const double mean = log_sum / positive;
    summary.log_sd = std::sqrt(std::max(0.0, log_squares / positive - mean * mean));
  }
  return summary;
}

}  // namespace aladdin
