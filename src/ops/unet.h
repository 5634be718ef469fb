// The paper's U-Net (network/unet_layers.h) as a differentiable function of Torch tensors.
#pragma once

#include <ATen/ATen.h>

#include "aladdin/network/unet_layers.h"

namespace aladdin {

// Hears of gradients before the backward pass is over.
class GradientListener {
 public:
  virtual ~GradientListener() = default;
  // A pass through the network, which will be gone through backwards.
  virtual void recorded() = 0;
  // By this pass, of parameters()[parameter]; the last layer first.
  virtual void found(std::size_t parameter, const at::Tensor& grad) = 0;
};

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

  // Gets the gradients from the next pass on; null: no listener. Only passes on oneDNN report them.
  void set_listener(GradientListener* listener) { listener_ = listener; }

  const UnetOptions& options() const { return options_; }
  // weight, bias of layer 0, weight, bias of layer 1, …
  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  std::vector<std::string> parameter_names() const;

 private:
  UnetOptions options_;
  std::vector<at::Tensor> parameters_;
  GradientListener* listener_ = nullptr;
};

}  // namespace aladdin
