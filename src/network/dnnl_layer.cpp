#include "aladdin/network/dnnl_layer.h"

#include <map>
#include <mutex>

namespace aladdin {
namespace {

using dnnl::memory;

memory::desc any_layout(const std::vector<int64_t>& dims) {
  return {memory::dims(dims.begin(), dims.end()), memory::data_type::f32, memory::format_tag::any};
}

// Row-major, the axes in the order `order`.
memory::desc plain_layout(const std::vector<int64_t>& dims) {
  memory::dims strides(dims.size(), 1);
  for (std::size_t i = dims.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * dims[i];
  return {memory::dims(dims.begin(), dims.end()), memory::data_type::f32, strides};
}

dnnl::primitive_attr fused(Activation activation) {
  dnnl::primitive_attr attributes;
  if (activation != Activation::none) {
    dnnl::post_ops after;
    after.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu,
                         activation == Activation::leaky ? static_cast<float>(kLeakySlope) : 0.0F,
                         0.0F);
    attributes.set_post_ops(after);
  }
  return attributes;
}

// The primitives of both kinds of convolution are made by the same steps from different classes.
template <class Forward, class BackwardData, class BackwardWeights>
LayerPrimitives make(dnnl::algorithm algorithm, const LayerKey& key,
                     const std::vector<int64_t>& weight_dims,
                     const std::vector<int64_t>& target_dims, const memory::desc& weight_plain) {
  const std::size_t dims = key.input.size() - 2;
  const memory::dims steps(dims, key.stride), pads(dims, key.transposed ? 0 : 1);
  const auto source = any_layout(key.input), weight = any_layout(weight_dims),
             target = any_layout(target_dims);
  const memory::desc bias = plain_layout({target_dims[1]});
  const auto& engine = dnnl_engine();

  LayerPrimitives made;
  const typename Forward::primitive_desc forward(
      typename Forward::desc(dnnl::prop_kind::forward_training, algorithm, source, weight, bias,
                             target, steps, pads, pads),
      fused(key.activation), engine);
  made.source = forward.src_desc();
  made.weight = forward.weights_desc();
  made.bias = bias;
  made.target = forward.dst_desc();
  made.weight_plain = weight_plain;
  made.forward = Forward(forward);

  const typename Forward::primitive_desc hint(
      typename Forward::desc(dnnl::prop_kind::forward_training, algorithm, source, weight, bias,
                             target, steps, pads, pads),
      engine);
  // Gradients arrive in the layout of the activations.
  const typename BackwardData::primitive_desc data(
      typename BackwardData::desc(algorithm, source, weight, made.target, steps, pads, pads),
      engine, hint);
  made.grad_target_for_data = data.diff_dst_desc();
  made.weight_for_data = data.weights_desc();
  made.grad_source = data.diff_src_desc();
  made.backward_data = BackwardData(data);

  const typename BackwardWeights::primitive_desc weights(
      typename BackwardWeights::desc(algorithm, made.source, weight, bias, made.target, steps, pads,
                                     pads),
      engine, hint);
  made.source_for_weight = weights.src_desc();
  made.grad_target_for_weight = weights.diff_dst_desc();
  made.grad_weight = weights.diff_weights_desc();
  made.backward_weight = BackwardWeights(weights);
  return made;
}

LayerPrimitives make(const LayerKey& key) {
  std::vector<int64_t> target = key.input;
  if (!key.transposed) {
    target[1] = key.weight[0];
    for (std::size_t i = 2; i < target.size(); ++i) target[i] = (target[i] - 1) / key.stride + 1;
    return make<dnnl::convolution_forward, dnnl::convolution_backward_data,
                dnnl::convolution_backward_weights>(dnnl::algorithm::convolution_direct, key,
                                                    key.weight, target, plain_layout(key.weight));
  }
  target[1] = key.weight[1];
  for (std::size_t i = 2; i < target.size(); ++i) target[i] *= key.stride;
  // Torch keeps the weight of a transposed convolution as (in, out, …), oneDNN as (out, in, …).
  std::vector<int64_t> swapped = key.weight;
  std::swap(swapped[0], swapped[1]);
  return make<dnnl::deconvolution_forward, dnnl::deconvolution_backward_data,
              dnnl::deconvolution_backward_weights>(dnnl::algorithm::deconvolution_direct, key,
                                                    swapped, target,
                                                    plain_layout(key.weight).permute_axes([&] {
                                                      std::vector<int> order(key.weight.size());
                                                      for (std::size_t i = 0; i < order.size(); ++i)
                                                        order[i] = static_cast<int>(i);
                                                      std::swap(order[0], order[1]);
                                                      return order;
                                                    }()));
}

}  // namespace

dnnl::engine& dnnl_engine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& dnnl_stream() {
  static dnnl::stream stream(dnnl_engine());
  return stream;
}

const LayerPrimitives& layer_primitives(const LayerKey& key) {
  static std::mutex mutex;
  static std::map<LayerKey, LayerPrimitives> cache;
  const std::scoped_lock lock(mutex);
  const auto found = cache.find(key);
  return found != cache.end() ? found->second : cache.emplace(key, make(key)).first->second;
}

}  // namespace aladdin
