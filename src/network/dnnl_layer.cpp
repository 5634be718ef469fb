#include "aladdin/network/dnnl_layer.h"

#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>

#include "aladdin/core/parallel.h"
#include "aladdin/network/weight_gradient.h"

namespace aladdin {
namespace {

using dnnl::memory;

memory::desc any_layout(const std::vector<int64_t>& dims) {
  return {memory::dims(dims.begin(), dims.end()), memory::data_type::f32, memory::format_tag::any};
}

memory::desc row_major(const std::vector<int64_t>& dims) {
  memory::dims strides(dims.size(), 1);
  for (std::size_t i = dims.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * dims[i];
  return {memory::dims(dims.begin(), dims.end()), memory::data_type::f32, strides};
}

dnnl::post_ops activated(Activation activation) {
  dnnl::post_ops after;
  if (activation != Activation::none)
    after.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, slope_of(activation), 0.0F);
  return after;
}

dnnl::primitive_attr fused(const dnnl::post_ops& after) {
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(after);
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

struct Convolution {
  using Forward = dnnl::convolution_forward;
  using BackwardData = dnnl::convolution_backward_data;
  static constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;
};

struct Transposed {
  using Forward = dnnl::deconvolution_forward;
  using BackwardData = dnnl::deconvolution_backward_data;
  static constexpr auto kAlgorithm = dnnl::algorithm::deconvolution_direct;
};

// What the primitives of both kinds of convolution are made from.
struct Parts {
  memory::desc source, weight, target, bias, weight_plain;
  memory::dims steps, pads;

  explicit Parts(const LayerKey& key) {
    std::vector<int64_t> out = key.input, weights = key.weight;
    weight_plain = row_major(key.weight);
    if (key.transposed) {
      // Torch keeps the weight of a transposed convolution as (in, out, …), oneDNN as (out, in, …).
      std::swap(weights[0], weights[1]);
      std::vector<int> order(weights.size());
      std::iota(order.begin(), order.end(), 0);
      std::swap(order[0], order[1]);
      weight_plain = weight_plain.permute_axes(order);
    }
    out[1] = weights[0];
    for (std::size_t i = 2; i < out.size(); ++i)
      out[i] = key.transposed ? out[i] * key.stride : (out[i] + 2 - weights[i]) / key.stride + 1;
    source = any_layout(key.input);
    weight = any_layout(weights);
    target = any_layout(out);
    bias = row_major({out[1]});
    steps.assign(key.input.size() - 2, key.stride);
    pads.assign(key.input.size() - 2, key.transposed ? 0 : 1);
  }
};

template <class Kind>
typename Kind::Forward::primitive_desc describe_forward(const Parts& p,
                                                        const dnnl::post_ops& after) {
  return {
      typename Kind::Forward::desc(dnnl::prop_kind::forward_training, Kind::kAlgorithm, p.source,
                                   p.weight, p.bias, p.target, p.steps, p.pads, p.pads),
      fused(after), dnnl_engine()};
}

template <class Kind>
ForwardLayer make_forward(const Parts& p, const typename Kind::Forward::primitive_desc& made) {
  ForwardLayer layer{made.src_desc(), made.weights_desc(), p.bias,
                     made.dst_desc(), p.weight_plain,      typename Kind::Forward(made)};
  layer.scratch = made.scratchpad_desc();
  return layer;
}

// The shape of a convolution that Winograd's algorithm may run: 3x3x3, stride 1, both sides blocked alike.
std::optional<kernels::WinogradShape> winograd_shape(const LayerKey& key,
                                                     const memory::desc& source,
                                                     const memory::desc& target) {
  if (key.transposed || key.stride != 1 || key.input.size() != 5 || key.weight[2] != 3)
    return std::nullopt;
  const kernels::WinogradShape shape{key.input[0],
                                     key.input[2],
                                     key.input[3],
                                     key.input[4],
                                     static_cast<int>(key.weight[1]),
                                     static_cast<int>(key.weight[0]),
                                     channel_block(source)};
  if (channel_block(target) != shape.block || !kernels::winograd_suits(shape)) return std::nullopt;
  return shape;
}

bool same_layouts(const dnnl::convolution_forward::primitive_desc& a,
                  const dnnl::convolution_forward::primitive_desc& b) {
  return a.src_desc() == b.src_desc() && a.weights_desc() == b.weights_desc() &&
         a.dst_desc() == b.dst_desc() && std::strcmp(a.impl_info_str(), b.impl_info_str()) == 0;
}

// With the sum inside the primitive where oneDNN has that without falling back to another code.
ForwardLayer make_convolution(const LayerKey& key) {
  const Parts p(key);
  const auto without = describe_forward<Convolution>(p, activated(key.activation));
  if (const auto shape = winograd_shape(key, without.src_desc(), without.dst_desc())) {
    ForwardLayer layer;
    layer.source = without.src_desc();
    layer.target = without.dst_desc();
    layer.weight = row_major({kernels::kWinogradPlaces * shape->in * shape->out});
    layer.winograd = WinogradLayer{*shape, slope_of(key.activation)};
    return layer;
  }
  ForwardLayer layer = make_forward<Convolution>(p, without);
  if (!key.residual) return layer;
  try {
    dnnl::post_ops after = activated(key.activation);
    after.append_binary(dnnl::algorithm::binary_add, layer.target);
    const auto with = describe_forward<Convolution>(p, after);
    if (!same_layouts(with, without)) return layer;
    layer.run = dnnl::convolution_forward(with);
    layer.adds = true;
    layer.adds_at = after.len() - 1;
    layer.scratch = with.scratchpad_desc();
  } catch (const dnnl::error&) {  // not implemented here
  }
  return layer;
}

// As a matrix product (see ForwardLayer), or nothing where its layouts do not allow it. The weight
// (in, out, taps) is that of a convolution to the channels (out x taps): the taps run fastest.
std::optional<ForwardLayer> make_product(const LayerKey& key) {
  const Parts p(key);
  const std::size_t dims = key.input.size() - 2;
  const auto taps = static_cast<std::int64_t>(1) << dims;
  const std::int64_t in = key.weight[0], out = key.weight[1];
  std::vector<int64_t> weights(dims + 2, 1), target = key.input;
  weights[0] = out * taps;
  weights[1] = in;
  target[1] = out * taps;
  memory::dims strides(dims + 2, 1);
  strides[1] = out * taps;
  const memory::dims steps(dims, 1), pads(dims, 0);
  const memory::desc bias = row_major({out * taps});
  const dnnl::convolution_forward::primitive_desc made(
      dnnl::convolution_forward::desc(
          dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct, p.source,
          any_layout(weights), bias, any_layout(target), steps, pads, pads),
      fused(activated(key.activation)), dnnl_engine());
  const int block = channel_block(made.dst_desc());
  if (block == 0 || out % block != 0) return std::nullopt;
  return ForwardLayer{
      made.src_desc(),
      made.weights_desc(),
      bias,
      blocked_desc(p.target.dims(), block),
      {memory::dims(weights.begin(), weights.end()), memory::data_type::f32, strides},
      dnnl::convolution_forward(made),
      static_cast<int>(taps),
      made.dst_desc(),
      made.scratchpad_desc()};
}

ForwardLayer make_transposed(const LayerKey& key) {
  if (auto product = make_product(key)) return *product;
  const Parts p(key);
  return make_forward<Transposed>(p, describe_forward<Transposed>(p, activated(key.activation)));
}

std::shared_ptr<const WeightGradient> make_weight_gradient(const LayerKey& key,
                                                           const memory::desc& source,
                                                           const memory::desc& target) {
  WeightGradient::Shape shape{source.dims(),       target.dims(),          key.weight[2],
                              key.stride,          key.transposed ? 0 : 1, padded_block(source),
                              padded_block(target)};
  if (key.transposed) {
    std::swap(shape.source, shape.target);
    std::swap(shape.source_block, shape.target_block);
  }
  return std::make_shared<const WeightGradient>(shape);
}

template <class Kind>
BackwardLayer make_backward(const LayerKey& key) {
  const Parts p(key);
  const auto forward = describe_forward<Kind>(p, activated(key.activation));
  BackwardLayer layer;
  if (const auto shape = winograd_shape(key, forward.src_desc(), forward.dst_desc())) {
    layer.grad_source = layer.source_for_weight = forward.src_desc();
    layer.grad_target_for_data = layer.grad_target_for_weight = forward.dst_desc();
    layer.winograd = shape;
    return layer;
  }
  const auto hint = describe_forward<Kind>(p, {});
  // In the forward layer's layout, which spares oneDNN's matrix product: that cuts its sums by the number of threads.
  const memory::desc given = key.transposed ? forward_layer(key).target : forward.dst_desc();
  const typename Kind::BackwardData::primitive_desc data(
      typename Kind::BackwardData::desc(Kind::kAlgorithm, p.source, p.weight, given, p.steps,
                                        p.pads, p.pads),
      fused({}), dnnl_engine(), hint);
  layer.grad_target_for_data = data.diff_dst_desc();
  layer.weight_for_data = data.weights_desc();
  layer.grad_source = data.diff_src_desc();
  layer.weight_plain = p.weight_plain;
  layer.by_data = typename Kind::BackwardData(data);
  layer.scratch_for_data = data.scratchpad_desc();
  layer.by_weight = make_weight_gradient(key, forward.src_desc(), forward.dst_desc());
  layer.source_for_weight = layer.by_weight->source();
  layer.grad_target_for_weight = layer.by_weight->target();
  layer.transposed = key.transposed;
  if (key.transposed) std::swap(layer.source_for_weight, layer.grad_target_for_weight);
  return layer;
}

template <class Layer>
const Layer& kept(const LayerKey& key, Layer (*make)(const LayerKey&)) {
  static std::mutex mutex;
  static std::map<LayerKey, Layer> cache;
  const std::scoped_lock lock(mutex);
  const LibraryThreads all(threads());
  const auto found = cache.find(key);
  return found != cache.end() ? found->second : cache.emplace(key, make(key)).first->second;
}

}  // namespace

dnnl::engine& dnnl_engine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& dnnl_stream() {
  static thread_local dnnl::stream stream(dnnl_engine());
  return stream;
}

int channel_block(const memory::desc& desc) {
  const auto& blocking = desc.data.format_desc.blocking;
  const bool only_channels = blocking.inner_nblks == 1 && blocking.inner_idxs[0] == 1;
  const int block = only_channels ? static_cast<int>(blocking.inner_blks[0]) : 0;
  const bool known = block == 8 || block == 16;
  return known && desc.dims()[1] % block == 0 && desc == blocked_desc(desc.dims(), block) ? block
                                                                                          : 0;
}

memory::desc blocked_desc(const memory::dims& dims, int block) {
  const bool flat = dims.size() == 4;
  using Tag = memory::format_tag;
  return {
      dims, memory::data_type::f32,
      block == 16 ? (flat ? Tag::aBcd16b : Tag::aBcde16b) : (flat ? Tag::aBcd8b : Tag::aBcde8b)};
}

const ForwardLayer& forward_layer(const LayerKey& key) {
  return kept(key, key.transposed ? make_transposed : make_convolution);
}

const BackwardLayer& backward_layer(const LayerKey& key) {
  return kept(key, key.transposed ? make_backward<Transposed> : make_backward<Convolution>);
}

}  // namespace aladdin
