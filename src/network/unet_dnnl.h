// The network on oneDNN directly: layers stay in oneDNN's blocked layouts from the first to the last,
// activations are fused into the convolutions, and the backward pass is written out. One autograd node.
#pragma once

#include "aladdin/network/unet.h"

namespace aladdin {

// Input: contiguous float on the CPU, sizes that divide by 2^depth.
at::Tensor run_unet_dnnl(const UnetOptions& options, const std::vector<at::Tensor>& parameters,
                         const at::Tensor& input);

}  // namespace aladdin
