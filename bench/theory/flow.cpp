#include "flow.h"

#include "aladdin/core/error.h"

namespace aladdin::theory {
namespace {

std::vector<at::Tensor> nodes(const at::Tensor& velocity, double sign, const Numerics& numerics) {
  const at::Tensor step = exponential(velocity / double(numerics.steps), sign, numerics.squarings,
                                      numerics.interpolation);
  std::vector<at::Tensor> out{at::zeros_like(velocity)};
  for (int k = 0; k < numerics.steps; ++k)
    out.push_back(compose(step, out.back(), numerics.interpolation));
  return out;
}

}  // namespace

Flow::Flow(const at::Tensor& velocity, const Numerics& numerics)
    : interpolation_(numerics.interpolation) {
  const at::NoGradGuard no_grad;
  if (numerics.steps < 1) fail("a flow of {} steps, expected at least 1", numerics.steps);
  if (velocity.size(0) != 1) fail("a flow of {} velocities, expected one", velocity.size(0));
  forward_ = nodes(velocity, 1, numerics);
  backward_ = nodes(velocity, -1, numerics);
}

}  // namespace aladdin::theory
