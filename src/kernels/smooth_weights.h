// Inside this folder only: the weights of smooth.h, 2 r + 1 of them.
#pragma once

#include <cmath>
#include <vector>

namespace aladdin::kernels {

template <class T>
std::vector<T> smooth_weights(double sigma) {
  const int radius = static_cast<int>(std::ceil(3 * sigma));
  std::vector<double> weights;
  double sum = 0;
  for (int k = -radius; k <= radius; ++k) {
    weights.push_back(std::exp(-0.5 * k * k / (sigma * sigma)));
    sum += weights.back();
  }
  std::vector<T> out;
  for (const double weight : weights) out.push_back(static_cast<T>(weight / sum));
  return out;
}

}  // namespace aladdin::kernels
