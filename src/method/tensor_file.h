// Torch tensors as plain floats, and in a safetensors file.
#pragma once

#include <ATen/ATen.h>

#include "aladdin/network/safetensors.h"

namespace aladdin {

std::vector<float> values_of(const at::Tensor& tensor);

// An undefined tensor is left out.
void add_tensor(Safetensors& file, const std::string& name, const at::Tensor& tensor);
// Throws if it is not there.
at::Tensor take_tensor(const Safetensors& file, const std::string& name, at::Device device);

}  // namespace aladdin
