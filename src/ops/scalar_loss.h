// A loss whose kernel returns its value and its gradients in one call: they are computed in the
// forward pass, for the inputs that need them, and only scaled in the backward pass.
#pragma once

#include <torch/csrc/autograd/custom_function.h>

#include <functional>

#include "aladdin/ops/tensor.h"

namespace aladdin::ops {

// kernel(inputs, grads): returns the loss; grads[i] is undefined where no gradient is wanted.
using LossKernel = std::function<double(const std::vector<at::Tensor>& inputs,
                                        const std::vector<at::Tensor>& grads)>;

at::Tensor scalar_loss(const std::vector<at::Tensor>& inputs, const LossKernel& kernel);

}  // namespace aladdin::ops
