#include "aladdin/ops/jacobian.h"

#include <torch/csrc/autograd/custom_function.h>

#include "aladdin/kernels/jacobian.h"
#include "aladdin/ops/plain.h"

namespace aladdin::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct JacobianDeterminant : torch::autograd::Function<JacobianDeterminant> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& u) {
    const at::Tensor map = u.contiguous(),
                     det = at::empty_like(map.narrow(1, 0, 1), at::MemoryFormat::Contiguous);
    with_type(u, [&]<class T>(T) {
      if constexpr (std::is_same_v<T, float>)
        kernels::jacobian_determinant(map.data_ptr<T>(), det.data_ptr<T>(), shape_of(u));
      else
        kernels::reference::jacobian_determinant(map.data_ptr<T>(), det.data_ptr<T>(), shape_of(u));
    });
    context->save_for_backward({map});
    return det;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const at::Tensor u = context->get_saved_variables()[0], grad = grads[0].contiguous();
    const at::Tensor grad_u = at::empty_like(u);
    with_type(u, [&]<class T>(T) {
      const auto run = [&](auto&& kernel) {
        kernel(u.data_ptr<T>(), grad.data_ptr<T>(), grad_u.data_ptr<T>(), shape_of(u));
      };
      if constexpr (std::is_same_v<T, float>)
        run(kernels::jacobian_determinant_backward);
      else
        run(kernels::reference::jacobian_determinant_backward<T>);
    });
    return {grad_u};
  }
};

}  // namespace

at::Tensor jacobian_determinant(const at::Tensor& u) {
  require_displacement(u, "jacobian_determinant");
  return has_kernels(u) ? JacobianDeterminant::apply(u) : plain::jacobian_determinant(u);
}

}  // namespace aladdin::ops
