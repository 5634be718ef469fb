// The paper's U-Net (network/unet_layers.h) as a differentiable function of Torch tensors.
#pragma once

#include <ATen/ATen.h>

#include "aladdin/network/unet_layers.h"

namespace aladdin {

class Unet {
 public:
  // initial_parameters(options, seed)
  Unet(const UnetOptions& options, std::uint64_t seed);
  // Weights from a file: weight and bias of each layer, checked.
  Unet(const UnetOptions& options, std::vector<at::Tensor> parameters);

  // (n, inputs, [d,] h, w) to (n, dims, …), at full or half resolution; differentiable in the input
  // and the parameters. Runs on oneDNN directly on a CPU in float, elsewhere in plain Torch.
  at::Tensor velocity(const at::Tensor& input) const;
  // The same in plain Torch, to test and time against.
  at::Tensor velocity_plain(const at::Tensor& input) const;

  const UnetOptions& options() const { return options_; }
  // weight, bias of layer 0, weight, bias of layer 1, …
  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  std::vector<std::string> parameter_names() const;
  std::int64_t parameter_count() const;

 private:
  UnetOptions options_;
  std::vector<at::Tensor> parameters_;
};

}  // namespace aladdin
