#include "aladdin/ops/bending.h"

#include "aladdin/kernels/bending.h"
#include "aladdin/ops/plain.h"
#include "aladdin/ops/scalar_loss.h"

namespace aladdin::ops {

at::Tensor bending_energy(const at::Tensor& u, const std::array<double, 3>& spacing) {
  require_displacement(u, "bending_energy");
  if (!has_kernels(u)) return plain::bending_energy(u, spacing);
  return scalar_loss({u}, [&](const auto& in, const auto& grads) {
    double energy = 0;
    with_type(u, [&]<class T>(T) {
      T* grad = grads[0].defined() ? grads[0].template data_ptr<T>() : nullptr;
      if constexpr (std::is_same_v<T, float>)
        energy = kernels::bending_energy(in[0].template data_ptr<T>(), grad, shape_of(u), spacing);
      else
        energy = kernels::reference::bending_energy(in[0].template data_ptr<T>(), grad, shape_of(u),
                                                    spacing);
    });
    return energy;
  });
}

}  // namespace aladdin::ops
