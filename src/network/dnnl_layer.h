// One convolution or transposed convolution of oneDNN for one shape: its primitives, made once and kept.
#pragma once

#include <dnnl.hpp>
#include <memory>

#include "aladdin/network/unet_program.h"

namespace aladdin {

dnnl::engine& dnnl_engine();
dnnl::stream& dnnl_stream();

struct LayerKey {
  std::vector<int64_t> input;   // (n, channels, [d,] h, w)
  std::vector<int64_t> weight;  // as in UnetLayer
  int stride = 1;
  bool transposed = false;
  Activation activation = Activation::none;
  auto operator<=>(const LayerKey&) const = default;
};

struct LayerPrimitives {
  // Layouts that the primitives want; the plain layouts of the weight are in `weight_plain`.
  dnnl::memory::desc source, weight, bias, target, weight_plain;
  dnnl::memory::desc grad_target_for_data, weight_for_data, grad_source;
  dnnl::memory::desc source_for_weight, grad_target_for_weight, grad_weight;
  dnnl::primitive forward, backward_data, backward_weight;
};

// From a cache that lives as long as the program.
const LayerPrimitives& layer_primitives(const LayerKey& key);

}  // namespace aladdin
