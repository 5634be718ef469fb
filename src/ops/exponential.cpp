#include "aladdin/ops/exponential.h"

#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/profile.h"
#include "aladdin/ops/plain.h"
#include "aladdin/ops/warp.h"

namespace aladdin::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Exponential : torch::autograd::Function<Exponential> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& v, int64_t squarings,
                            double sign) {
    const profile::Span span("exponential");
    const at::Tensor velocity = v.contiguous(), u = at::empty_like(velocity);
    with_type(v, [&]<class T>(T) {
      if constexpr (std::is_same_v<T, float>)
        kernels::exponential(velocity.data_ptr<T>(), u.data_ptr<T>(), shape_of(v), int(squarings),
                             T(sign));
      else
        kernels::reference::exponential(velocity.data_ptr<T>(), u.data_ptr<T>(), shape_of(v),
                                        int(squarings), T(sign));
    });
    context->save_for_backward({velocity});
    context->saved_data["squarings"] = squarings;
    context->saved_data["sign"] = sign;
    return u;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const profile::Span span("exponential, backward");
    const at::Tensor v = context->get_saved_variables()[0], grad_u = grads[0].contiguous();
    const int squarings = int(context->saved_data["squarings"].toInt());
    const double sign = context->saved_data["sign"].toDouble();
    const at::Tensor grad_v = at::empty_like(v);
    with_type(v, [&]<class T>(T) {
      const auto run = [&](auto&& kernel) {
        kernel(v.data_ptr<T>(), grad_u.data_ptr<T>(), grad_v.data_ptr<T>(), shape_of(v), squarings,
               T(sign));
      };
      if constexpr (std::is_same_v<T, float>)
        run(kernels::exponential_backward);
      else
        run(kernels::reference::exponential_backward<T>);
    });
    return {grad_v, at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor exponential(const at::Tensor& v, int squarings, double sign, kernels::Border border) {
  require_displacement(v, "exponential");
  if (squarings < 0 || squarings > 30)
    fail("exponential: {} squarings, expected 0 to 30", squarings);
  if (!has_kernels(v)) return plain::exponential(v, squarings, sign, border);
  if (border == kernels::Border::zero) {
    at::Tensor u = v * std::ldexp(sign, -squarings);
    for (int k = 0; k < squarings; ++k) u = u + warp(u, u, border);
    return u;
  }
  return Exponential::apply(v, squarings, sign);
}

}  // namespace aladdin::ops
