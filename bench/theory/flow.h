// The flow of a stationary velocity at the nodes t_k = k / steps of a time integral (Sec. 3.2):
//
//   d/dt Phi_{0,t} = v o Phi_{0,t},   Phi_{s,t} = exp((t - s) v),
//   Phi_{k+1} = Phi_{1/steps} o Phi_k,
//
// the single step by scaling and squaring. The time integral is the trapezoid rule: O(steps^-2).
#pragma once

#include "sampling.h"

namespace aladdin::theory {

struct Numerics {
  int steps = 32;      // of a time integral
  int squarings = 10;  // of an exponential: its error in time is O(2^-squarings)
  Interpolation interpolation = Interpolation::cubic;
};

class Flow {
 public:
  // velocity: (1, dims, …) in voxels.
  Flow(const at::Tensor& velocity, const Numerics& numerics);

  // Phi_{t_k,0} - id and Phi_{t_k,1} - id.
  const at::Tensor& to_start(int k) const { return backward_[k]; }
  const at::Tensor& to_end(int k) const { return forward_[forward_.size() - 1 - k]; }
  // Phi_{1,0} - id.
  const at::Tensor& whole_backward() const { return backward_.back(); }

  // image o (id + u)
  at::Tensor pull(const at::Tensor& image, const at::Tensor& u) const {
    return warp(image, u, interpolation_);
  }

  // int_0^1 f dt, where f(k) is the integrand at t_k.
  template <class Integrand>
  at::Tensor integral(Integrand&& f) const {
    const int steps = int(forward_.size()) - 1;
    at::Tensor sum = 0.5 * f(0);
    for (int k = 1; k < steps; ++k) sum = sum + f(k);
    return (sum + 0.5 * f(steps)) / double(steps);
  }

 private:
  Interpolation interpolation_;
  std::vector<at::Tensor> forward_, backward_;  // exp(±t_k v) - id
};

}  // namespace aladdin::theory
