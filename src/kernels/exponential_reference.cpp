#include <cmath>
#include <vector>

#include "aladdin/kernels/exponential.h"
#include "aladdin/kernels/warp.h"

namespace aladdin::kernels::reference {
namespace {

// u_0 … u_K
template <class T>
std::vector<std::vector<T>> steps_of(const T* v, const Shape& s, int squarings, T sign,
                                     Border border) {
  const auto values = static_cast<std::size_t>(s.n * s.dims * s.voxels());
  std::vector<std::vector<T>> steps(1, std::vector<T>(v, v + values));
  for (T& value : steps[0]) value *= std::ldexp(sign, -squarings);
  for (int k = 0; k < squarings; ++k) {
    std::vector<T> next(values);
    warp(steps[k].data(), steps[k].data(), next.data(), s, s.dims, border);
    for (std::size_t i = 0; i < values; ++i) next[i] += steps[k][i];
    steps.push_back(std::move(next));
  }
  return steps;
}

}  // namespace

template <class T>
void exponential(const T* v, T* u, const Shape& s, int squarings, T sign, Border border) {
  const auto steps = steps_of(v, s, squarings, sign, border);
  std::copy(steps.back().begin(), steps.back().end(), u);
}

template <class T>
void exponential_backward(const T* v, const T* grad_u, T* grad_v, const Shape& s, int squarings,
                          T sign) {
  const auto steps = steps_of(v, s, squarings, sign, Border::clamp);
  std::vector<T> grad(grad_u, grad_u + steps[0].size()), as_field(grad.size()), as_map(grad.size());
  for (int k = squarings - 1; k >= 0; --k) {
    compose_backward(steps[k].data(), steps[k].data(), grad.data(), as_field.data(), as_map.data(),
                     s);
    for (std::size_t i = 0; i < grad.size(); ++i) grad[i] = as_field[i] + as_map[i];
  }
  for (std::size_t i = 0; i < grad.size(); ++i) grad_v[i] = std::ldexp(sign, -squarings) * grad[i];
}

template void exponential(const float*, float*, const Shape&, int, float, Border);
template void exponential(const double*, double*, const Shape&, int, double, Border);
template void exponential_backward(const float*, const float*, float*, const Shape&, int, float);
template void exponential_backward(const double*, const double*, double*, const Shape&, int,
                                   double);

}  // namespace aladdin::kernels::reference
