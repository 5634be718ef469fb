#include "aladdin/ops/warp.h"

#include <torch/csrc/autograd/custom_function.h>

#include "aladdin/core/profile.h"
#include "aladdin/kernels/warp.h"
#include "aladdin/ops/plain.h"

namespace aladdin::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <class T>
T* data_or_null(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.data_ptr<T>() : nullptr;
}

struct Warp : torch::autograd::Function<Warp> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& in, const at::Tensor& u,
                            bool clamp) {
    const profile::Span span("warp");
    const auto border = clamp ? kernels::Border::clamp : kernels::Border::zero;
    const at::Tensor field = in.contiguous(), map = u.contiguous(), out = at::empty_like(field);
    with_type(in, [&]<class T>(T) {
      if constexpr (std::is_same_v<T, float>)
        kernels::warp(field.data_ptr<T>(), map.data_ptr<T>(), out.data_ptr<T>(), shape_of(u),
                      int(in.size(1)), border);
      else
        kernels::reference::warp(field.data_ptr<T>(), map.data_ptr<T>(), out.data_ptr<T>(),
                                 shape_of(u), int(in.size(1)), border);
    });
    context->save_for_backward({field, map});
    context->saved_data["clamp"] = clamp;
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const profile::Span span("warp, backward");
    const auto saved = context->get_saved_variables();
    const at::Tensor &in = saved[0], &u = saved[1], grad = grads[0].contiguous();
    const auto border =
        context->saved_data["clamp"].toBool() ? kernels::Border::clamp : kernels::Border::zero;
    at::Tensor grad_in, grad_u;
    if (context->needs_input_grad(0)) grad_in = at::empty_like(in);
    if (context->needs_input_grad(1)) grad_u = at::empty_like(u);
    with_type(in, [&]<class T>(T) {
      const auto run = [&](auto&& kernel) {
        kernel(in.data_ptr<T>(), u.data_ptr<T>(), grad.data_ptr<T>(), data_or_null<T>(grad_in),
               data_or_null<T>(grad_u), shape_of(u), int(in.size(1)), border);
      };
      if constexpr (std::is_same_v<T, float>)
        run(kernels::warp_backward);
      else
        run(kernels::reference::warp_backward<T>);
    });
    return {grad_in, grad_u, at::Tensor()};
  }
};

struct Compose : torch::autograd::Function<Compose> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& v, const at::Tensor& u) {
    const profile::Span span("compose");
    const at::Tensor field = v.contiguous(), map = u.contiguous(), out = at::empty_like(map);
    with_type(u, [&]<class T>(T) {
      if constexpr (std::is_same_v<T, float>)
        kernels::compose(field.data_ptr<T>(), map.data_ptr<T>(), out.data_ptr<T>(), shape_of(u));
      else
        kernels::reference::compose(field.data_ptr<T>(), map.data_ptr<T>(), out.data_ptr<T>(),
                                    shape_of(u));
    });
    context->save_for_backward({field, map});
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const profile::Span span("compose, backward");
    const auto saved = context->get_saved_variables();
    const at::Tensor &v = saved[0], &u = saved[1], grad = grads[0].contiguous();
    at::Tensor grad_v, grad_u;
    if (context->needs_input_grad(0)) grad_v = at::empty_like(v);
    if (context->needs_input_grad(1)) grad_u = at::empty_like(u);
    with_type(u, [&]<class T>(T) {
      const auto run = [&](auto&& kernel) {
        kernel(v.data_ptr<T>(), u.data_ptr<T>(), grad.data_ptr<T>(), data_or_null<T>(grad_v),
               data_or_null<T>(grad_u), shape_of(u));
      };
      if constexpr (std::is_same_v<T, float>)
        run(kernels::compose_backward);
      else
        run(kernels::reference::compose_backward<T>);
    });
    return {grad_v, grad_u};
  }
};

}  // namespace

at::Tensor warp(const at::Tensor& in, const at::Tensor& u, kernels::Border border) {
  require_displacement(u, "warp");
  require_same_grid(in, u, "warp");
  if (!has_kernels(in)) return plain::warp(in, u, border);
  return Warp::apply(in, u, border == kernels::Border::clamp);
}

at::Tensor compose(const at::Tensor& v, const at::Tensor& u) {
  require_displacement(u, "compose");
  require_same_grid(v, u, "compose");
  if (!has_kernels(u)) return plain::compose(v, u);
  return Compose::apply(v, u);
}

}  // namespace aladdin::ops
