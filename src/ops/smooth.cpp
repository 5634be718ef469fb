#include "aladdin/ops/smooth.h"

#include <torch/csrc/autograd/custom_function.h>

#include "aladdin/core/profile.h"
#include "aladdin/kernels/smooth.h"
#include "aladdin/ops/plain.h"

namespace aladdin::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor smoothed(const at::Tensor& field, double sigma) {
  const profile::Span span("smoothing");
  const at::Tensor in = field.contiguous(), out = at::empty_like(in);
  with_type(in, [&]<class T>(T) {
    if constexpr (std::is_same_v<T, float>)
      kernels::smooth(in.data_ptr<T>(), out.data_ptr<T>(), shape_of(in), int(in.size(1)), sigma);
    else
      kernels::reference::smooth(in.data_ptr<T>(), out.data_ptr<T>(), shape_of(in), int(in.size(1)),
                                 sigma);
  });
  return out;
}

struct Smooth : torch::autograd::Function<Smooth> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& field, double sigma) {
    context->saved_data["sigma"] = sigma;
    return smoothed(field, sigma);
  }
  static variable_list backward(AutogradContext* context, variable_list grads) {
    return {smoothed(grads[0], context->saved_data["sigma"].toDouble()), at::Tensor()};
  }
};

}  // namespace

at::Tensor smooth(const at::Tensor& field, double sigma) {
  if (!has_kernels(field)) return plain::smooth(field, sigma);
  return Smooth::apply(field, sigma);
}

}  // namespace aladdin::ops
