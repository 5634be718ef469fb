#include "aladdin/transform/bspline.h"

#include <cmath>
#include <vector>

#include "aladdin/core/parallel.h"

namespace aladdin {
namespace {

// Values to coefficients along one line, in place: a causal and an anticausal recursion.
void prefilter(std::vector<double>& line) {
  const double pole = std::sqrt(3.0) - 2.0;
  const auto n = static_cast<std::int64_t>(line.size());
  if (n == 1) return;
  for (double& value : line) value *= 6.0;  // (1 - pole)(1 - 1/pole)
  // The mirrored line goes on for ever: its sum has a closed form.
  double sum = line[0], last = std::pow(pole, static_cast<double>(n - 1));
  double power = pole, mirrored = last * last / pole;
  sum += last * line[n - 1];
  for (std::int64_t i = 1; i < n - 1; ++i, power *= pole, mirrored /= pole)
    sum += (power + mirrored) * line[i];
  line[0] = sum / (1.0 - last * last);
  for (std::int64_t i = 1; i < n; ++i) line[i] += pole * line[i - 1];
  line[n - 1] = pole / (pole * pole - 1.0) * (pole * line[n - 2] + line[n - 1]);
  for (std::int64_t i = n - 2; i >= 0; --i) line[i] = pole * (line[i + 1] - line[i]);
}

void prefilter_axis(Image& image, int axis) {
  const auto& size = image.grid.size;
  const Size3 stride{1, size[0], size[0] * size[1]};
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  parallel_for(size[a] * size[b], [&](std::int64_t task) {
    float* values = image.values.data() + task % size[a] * stride[a] + task / size[a] * stride[b];
    std::vector<double> line(static_cast<std::size_t>(size[axis]));
    for (std::int64_t i = 0; i < size[axis]; ++i) line[i] = values[i * stride[axis]];
    prefilter(line);
    for (std::int64_t i = 0; i < size[axis]; ++i)
      values[i * stride[axis]] = static_cast<float>(line[i]);
  });
}

std::int64_t mirror(std::int64_t i, std::int64_t n) {
  if (n == 1) return 0;
  const std::int64_t period = 2 * (n - 1);
  i = std::abs(i) % period;
  return i < n ? i : period - i;
}

}  // namespace

CubicBSpline::CubicBSpline(const Image& image) : coefficients_(image) {
  for (int axis = 0; axis < image.grid.dims; ++axis) prefilter_axis(coefficients_, axis);
}

float CubicBSpline::operator()(const Vec3& index) const {
  const auto& size = coefficients_.grid.size;
  const int dims = coefficients_.grid.dims;
  std::int64_t offset[3][4] = {};
  double weight[3][4] = {{1}, {1}, {1}};
  std::int64_t stride = 1;
  for (int axis = 0; axis < dims; ++axis) {
    const auto whole = static_cast<std::int64_t>(std::floor(index[axis]));
    const double t = index[axis] - static_cast<double>(whole), s = 1 - t;
    weight[axis][0] = s * s * s / 6;
    weight[axis][1] = 2.0 / 3 - t * t * (2 - t) / 2;
    weight[axis][2] = 2.0 / 3 - s * s * (2 - s) / 2;
    weight[axis][3] = t * t * t / 6;
    for (int tap = 0; tap < 4; ++tap)
      offset[axis][tap] = mirror(whole - 1 + tap, size[axis]) * stride;
    stride *= size[axis];
  }
  double value = 0;
  for (int k = 0; k < (dims == 3 ? 4 : 1); ++k)
    for (int j = 0; j < 4; ++j) {
      const float* row = coefficients_.values.data() + offset[2][k] + offset[1][j];
      double along = 0;
      for (int i = 0; i < 4; ++i) along += weight[0][i] * row[offset[0][i]];
      value += weight[2][k] * weight[1][j] * along;
    }
  return static_cast<float>(value);
}

}  // namespace aladdin
