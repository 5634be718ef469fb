// What the network costs, and what the machine can do: for reports of how near to its limit a step runs.
#pragma once

#include "aladdin/network/unet_layers.h"

namespace aladdin {

// Floating-point operations of one pass forward, layer by layer as they are described (unet_layers.h), even
// where fewer are needed: 2 a multiply-add of a convolution, nothing else. The input is (n, inputs, [d,] h, w), sizes that divide by 2^depth.
double unet_flops(const UnetOptions& options, const std::vector<std::int64_t>& input_size);
// Forward and backward: the gradients of weights and of inputs cost as much as the way forward each, but the
// first layer's input needs none.
double unet_training_flops(const UnetOptions& options, const std::vector<std::int64_t>& input_size);

// Operations a second that oneDNN reaches on all threads in what suits it best, a large matrix product and
// a wide convolution: the better of the two, the best of some tries. Takes about half a second.
double measured_peak();

}  // namespace aladdin
