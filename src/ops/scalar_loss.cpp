#include "aladdin/ops/scalar_loss.h"

#include "aladdin/core/profile.h"

namespace aladdin::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct ScalarLoss : torch::autograd::Function<ScalarLoss> {
  static at::Tensor forward(AutogradContext* context, at::TensorList inputs,
                            const LossKernel& kernel, bool with_gradients) {
    const profile::Span span("losses and their gradients");
    std::vector<at::Tensor> contiguous, grads;
    for (const at::Tensor& input : inputs) {
      contiguous.push_back(input.contiguous());
      grads.push_back(with_gradients && input.requires_grad() ? at::empty_like(contiguous.back())
                                                              : at::Tensor());
    }
    const double loss = kernel(contiguous, grads);
    context->saved_data["grads"] = grads;
    return at::scalar_tensor(loss, inputs[0].options());
  }

  static variable_list backward(AutogradContext* context, variable_list outer) {
    variable_list grads = context->saved_data["grads"].toTensorVector();
    for (at::Tensor& grad : grads)
      if (grad.defined()) grad = grad * outer[0];
    grads.emplace_back();  // the kernel
    grads.emplace_back();  // with_gradients
    return grads;
  }
};

}  // namespace

at::Tensor scalar_loss(const std::vector<at::Tensor>& inputs, const LossKernel& kernel) {
  // Inside forward() gradients are switched off, so the caller's mode is asked for here.
  return ScalarLoss::apply(at::TensorList(inputs), kernel, at::GradMode::is_enabled());
}

}  // namespace aladdin::ops
