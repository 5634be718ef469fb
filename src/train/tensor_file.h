// Torch tensors in a safetensors file, in float.
#pragma once

#include <ATen/ATen.h>

#include "aladdin/network/safetensors.h"

namespace aladdin {

// An undefined tensor is left out.
void add_tensor(Safetensors& file, const std::string& name, const at::Tensor& tensor);
// Throws if it is not there.
at::Tensor take_tensor(const Safetensors& file, const std::string& name, at::Device device);

}  // namespace aladdin
