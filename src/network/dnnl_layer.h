// Inside this folder only: one convolution or transposed convolution of oneDNN for one shape, its
// primitives made once and kept.
#pragma once

#include <dnnl.hpp>
#include <memory>
#include <optional>

#include "aladdin/kernels/winograd.h"
#include "aladdin/network/unet_program.h"

namespace aladdin {

class WeightGradient;

dnnl::engine& dnnl_engine();
dnnl::stream& dnnl_stream();  // of this thread

struct LayerKey {
  std::vector<int64_t> input;  // (n, channels, [d,] h, w)
  std::vector<int64_t>
      weight;  // as in UnetLayer; 3x3x3 or, with one voxel more in the output, 2x2x2
  int stride = 1;
  bool transposed = false;
  Activation activation = Activation::none;
  bool residual = false;  // something of the output's size is added after the activation
  auto operator<=>(const LayerKey&) const = default;
};

struct WinogradLayer {
  kernels::WinogradShape shape;
  float slope = 1.0F;  // of its activation
};

// The layouts that a primitive wants; the plain layout of the weight is `weight_plain`.
//
// A transposed convolution whose taps do not overlap is one matrix product, a 1x1x1 convolution to
// (channels x taps), and then each tap goes to a voxel of its own; oneDNN's own is a hundred times
// slower. `taps` says how many there are, 0 where the primitive writes the target itself, and
// `product` is the layout of what it writes instead.
//
// `adds` says that the primitive adds the residual itself, which it then wants in the layout of the target.
//
// Where `winograd` is set, that algorithm runs in place of the primitive, with a weight of its own packing.
struct ForwardLayer {
  dnnl::memory::desc source, weight, bias, target, weight_plain;
  dnnl::primitive run;
  int taps = 0;
  dnnl::memory::desc product{};
  dnnl::memory::desc scratch{};  // working memory, ours: oneDNN's own belongs to one thread
  bool adds = false;
  int adds_at = 0;  // which of the steps after the convolution that is
  std::optional<WinogradLayer> winograd{};
};

// Gradients arrive in the layout of the activations; the one of the target is that before the
// activation. Where `winograd` is set, `by_data`, `by_weight` and the layouts of weights are empty.
//
// `by_weight` is that of the convolution; of a transposed one, which is a convolution from its target to its source, it
// is that one's.
struct BackwardLayer {
  dnnl::memory::desc grad_target_for_data, weight_for_data, grad_source;
  dnnl::memory::desc source_for_weight, grad_target_for_weight;
  dnnl::memory::desc weight_plain;
  dnnl::primitive by_data;
  dnnl::memory::desc scratch_for_data;
  std::shared_ptr<const WeightGradient> by_weight{};
  bool transposed = false;
  std::optional<kernels::WinogradShape> winograd{};
};

// The number of channels that lie together in a layout that blocks channels only and is full, else 0.
int channel_block(const dnnl::memory::desc& desc);
// Row-major but for its channels, which lie in blocks of 8 or 16.
dnnl::memory::desc blocked_desc(const dnnl::memory::dims& dims, int block);

// From caches that live as long as the program. Each is made when it is first asked for: inference
// never pays for the way back.
const ForwardLayer& forward_layer(const LayerKey& key);
const BackwardLayer& backward_layer(const LayerKey& key);

}  // namespace aladdin
