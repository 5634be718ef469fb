#include "aladdin/optimise/window_variance.h"

#include <algorithm>

namespace aladdin {
namespace {

// Replaces each value by the mean of those within `radius` along one axis, by running sums.
void mean_along(std::vector<double>& values, std::int64_t size, std::int64_t stride, int radius) {
  std::vector<double> sums(static_cast<std::size_t>(size) + 1);
  const auto all = static_cast<std::int64_t>(values.size());
  for (std::int64_t start = 0; start < all; ++start) {
    if (start / stride % size != 0) continue;
    double* line = values.data() + start;
    for (std::int64_t i = 0; i < size; ++i) sums[i + 1] = sums[i] + line[i * stride];
    for (std::int64_t i = 0; i < size; ++i) {
      const std::int64_t begin = std::max<std::int64_t>(i - radius, 0),
                         end = std::min(i + radius + 1, size);
      line[i * stride] = (sums[end] - sums[begin]) / double(end - begin);
    }
  }
}

}  // namespace

std::vector<float> window_variance(const std::vector<float>& image, const kernels::Shape& s,
                                   int window) {
  std::vector<double> mean(image.begin(), image.end()), square(image.size());
  for (std::size_t i = 0; i < image.size(); ++i) square[i] = mean[i] * mean[i];
  const std::int64_t whole = std::max({s.w, s.h, s.d});
  const auto radius = static_cast<int>(window > 0 ? window / 2 : whole);
  const std::int64_t sizes[3] = {s.w, s.h, s.d}, strides[3] = {1, s.w, s.w * s.h};
  for (int axis = 0; axis < s.dims; ++axis)
    for (auto* values : {&mean, &square}) mean_along(*values, sizes[axis], strides[axis], radius);
  std::vector<float> out(image.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = float(std::max(0.0, square[i] - mean[i] * mean[i]));
  return out;
}

}  // namespace aladdin
