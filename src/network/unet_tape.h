// The network forward and backward on oneDNN directly: layers stay in oneDNN's blocked layouts from the
// first to the last, activations are fused into the convolutions, and the backward pass is written out.
#pragma once

#include <functional>
#include <memory>

#include "aladdin/network/unet_layers.h"

namespace aladdin {

class UnetTape {
 public:
  // Runs the network. Input: (n, inputs, [d,] h, w), row-major, sizes that divide by 2^depth. The
  // parameters (unet_parameters) and the input are not copied and must stay until backward() is done.
  // Without `for_backward` nothing is kept but the output.
  UnetTape(const UnetOptions& options, std::vector<const float*> parameters, const float* input,
           const std::vector<std::int64_t>& input_size, bool for_backward = true);
  ~UnetTape();
  UnetTape(UnetTape&&) noexcept;

  // (n, dims, …)
  const std::vector<std::int64_t>& output_size() const;
  void copy_output(float* out) const;

  // Fills the gradients of the parameters and, unless null, of the input. Once only: it frees the
  // activations as it goes. Calls layer_done, if there is one, as soon as weight and bias of a layer have theirs.
  void backward(const float* grad_output, const std::vector<float*>& grad_parameters,
                float* grad_input, const std::function<void(int layer)>& layer_done = {});

 private:
  class Steps;
  std::unique_ptr<Steps> steps_;
};

}  // namespace aladdin
