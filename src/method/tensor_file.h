// Torch tensors as plain floats, and in a safetensors file; the counters of a checkpoint.
#pragma once

#include <ATen/ATen.h>

#include <nlohmann/json_fwd.hpp>

#include "aladdin/network/safetensors.h"

namespace aladdin {

std::vector<float> values_of(const at::Tensor& tensor);

// Skips an undefined tensor.
void add_tensor(Safetensors& file, const std::string& name, const at::Tensor& tensor);
// On the device of `like`. Throws if it is missing or of another shape.
at::Tensor take_tensor(const Safetensors& file, const std::string& name, const at::Tensor& like);

// Limits that keep counters read from a file from overflowing: steps have the twelve digits of a checkpoint's
// name; epochs fit an int, and their product with another one an int64.
constexpr std::int64_t kMostSteps = 999'999'999'999, kMostEpochs = 1'000'000'000;
// A whole number, 0 … most; throws if it is anything else. In the metadata, or a value by this name in JSON.
std::int64_t take_count(const Safetensors& file, const std::string& key, std::int64_t most);
std::int64_t take_count(const nlohmann::json& value, const std::string& name, std::int64_t most);

}  // namespace aladdin
