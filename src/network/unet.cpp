#include "aladdin/network/unet.h"

#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/rng.h"
#include "aladdin/network/unet_dnnl.h"
#include "aladdin/network/unet_program.h"

namespace aladdin {
namespace {

constexpr double kFlowScale = 1e-3;  // of the Xavier weights: training starts at the identity

std::vector<int64_t> weight_shape(const UnetLayer& layer, int dims) {
  std::vector<int64_t> shape{layer.transposed ? layer.in : layer.out,
                             layer.transposed ? layer.out : layer.in};
  shape.insert(shape.end(), dims, layer.transposed ? 2 : 3);
  return shape;
}

struct PlainBackend {
  const std::vector<at::Tensor>& parameters;
  int dims;

  at::Tensor activate(const at::Tensor& x, Activation activation) const {
    if (activation == Activation::none) return x;
    return activation == Activation::relu ? at::relu(x) : at::leaky_relu(x, kLeakySlope);
  }
  at::Tensor convolve(const at::Tensor& x, int layer, int stride, bool transposed) const {
    const std::vector<int64_t> steps(dims, stride), pads(dims, transposed ? 0 : 1), ones(dims, 1),
        zeros(dims, 0);
    return at::convolution(x, parameters[2 * layer], parameters[2 * layer + 1], steps, pads, ones,
                           transposed, zeros, 1);
  }
  at::Tensor conv(const at::Tensor& x, int layer, int stride, Activation activation) const {
    return activate(convolve(x, layer, stride, false), activation);
  }
  at::Tensor up(const at::Tensor& x, int layer, Activation activation) const {
    return activate(convolve(x, layer, 2, true), activation);
  }
  at::Tensor join(const at::Tensor& a, const at::Tensor& b) const { return at::cat({a, b}, 1); }
  at::Tensor add(const at::Tensor& a, const at::Tensor& b) const { return a + b; }
};

// Repeats the border at the far end of each axis up to a multiple of 2^depth.
at::Tensor padded(const at::Tensor& input, int depth) {
  at::Tensor out = input;
  const int64_t unit = int64_t{1} << depth;
  for (int64_t dim = 2; dim < input.dim(); ++dim) {
    const int64_t size = out.size(dim), more = (unit - size % unit) % unit;
    if (more == 0) continue;
    std::vector<int64_t> shape = out.sizes().vec();
    shape[dim] = more;
    out = at::cat({out, out.narrow(dim, size - 1, 1).expand(shape)}, dim);
  }
  return out;
}

at::Tensor cut(const at::Tensor& velocity, const at::Tensor& input, int scale) {
  at::Tensor out = velocity;
  for (int64_t dim = 2; dim < input.dim(); ++dim)
    out = out.narrow(dim, 0, (input.size(dim) + scale - 1) / scale);
  return out;
}

}  // namespace

void UnetOptions::validate() const {
  if (dims != 2 && dims != 3) fail_usage("a network of {} dimensions, expected 2 or 3", dims);
  if (inputs < 1) fail_usage("a network with {} input channels, expected at least 1", inputs);
  if (width < 1 || width > 1024)
    fail_usage("a network {} channels wide, expected 1 to 1024", width);
  if (depth < 2 || depth > 6) fail_usage("a network {} levels deep, expected 2 to 6", depth);
  if (velocity_scale != 1 && velocity_scale != 2)
    fail_usage("a velocity scale of {}, expected 1 (full resolution) or 2 (half)", velocity_scale);
}

std::vector<UnetLayer> unet_layers(const UnetOptions& o) {
  const auto channels = [&](int level) { return o.width << level; };
  std::vector<UnetLayer> layers{{"down0", o.inputs, channels(0), false}};
  for (int level = 1; level <= o.depth; ++level)
    for (int i = 0; i < (level == o.depth ? 2 : 3); ++i)
      layers.push_back({fmt::format("down{}.{}", level, i), channels(i == 0 ? level - 1 : level),
                        channels(level), false});
  int in = channels(o.depth);
  for (int level = o.depth - 1; level >= 1; --level) {
    const int out = level == o.depth - 1 && level > 1 ? channels(level) : channels(level - 1);
    layers.push_back({fmt::format("up{}.up", level), in, channels(level), true});
    layers.push_back({fmt::format("up{}.0", level), 2 * channels(level), out, false});
    layers.push_back({fmt::format("up{}.1", level), out, out, false});
    in = out;
  }
  if (o.velocity_scale == 1) {
    layers.push_back({"up0.up", in, channels(0), true});
    in = channels(0);
  }
  layers.push_back({"up0.flow", in, o.dims, false});
  return layers;
}

Unet::Unet(const UnetOptions& options, std::uint64_t seed) : options_(options) {
  options_.validate();
  const auto layers = unet_layers(options_);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const auto& layer = layers[l];
    const double taps = std::pow(layer.transposed ? 2 : 3, options_.dims);
    double deviation = std::sqrt(2.0 / (taps * (layer.in + layer.out)));
    if (l + 1 == layers.size()) deviation *= kFlowScale;
    at::Tensor weight = at::empty(weight_shape(layer, options_.dims), at::kFloat);
    Rng rng(seed, l);
    float* values = weight.data_ptr<float>();
    for (int64_t i = 0; i < weight.numel(); ++i)
      values[i] = static_cast<float>(deviation * rng.normal());
    parameters_.push_back(weight.requires_grad_(true));
    parameters_.push_back(at::zeros({layer.out}, at::kFloat).requires_grad_(true));
  }
}

Unet::Unet(const UnetOptions& options, std::vector<at::Tensor> parameters)
    : options_(options), parameters_(std::move(parameters)) {
  options_.validate();
  const auto layers = unet_layers(options_);
  if (parameters_.size() != 2 * layers.size())
    fail("the network has {} parameters, expected {}", parameters_.size(), 2 * layers.size());
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const auto shape = weight_shape(layers[l], options_.dims);
    if (parameters_[2 * l].sizes().vec() != shape ||
        parameters_[2 * l + 1].numel() != layers[l].out)
      fail("the weights of layer '{}' have the shape {}, expected {}", layers[l].name,
           c10::str(parameters_[2 * l].sizes()), c10::str(at::IntArrayRef(shape)));
  }
}

at::Tensor Unet::velocity(const at::Tensor& input) const {
  if (!input.device().is_cpu() || input.scalar_type() != at::kFloat) return velocity_plain(input);
  return cut(run_unet_dnnl(options_, parameters_, padded(input, options_.depth)), input,
             options_.velocity_scale);
}

at::Tensor Unet::velocity_plain(const at::Tensor& input) const {
  PlainBackend backend{parameters_, options_.dims};
  return cut(run_unet(backend, options_, padded(input, options_.depth)), input,
             options_.velocity_scale);
}

std::vector<std::string> Unet::parameter_names() const {
  std::vector<std::string> names;
  for (const auto& layer : unet_layers(options_)) {
    names.push_back(layer.name + ".weight");
    names.push_back(layer.name + ".bias");
  }
  return names;
}

std::int64_t Unet::parameter_count() const {
  std::int64_t count = 0;
  for (const auto& parameter : parameters_) count += parameter.numel();
  return count;
}

}  // namespace aladdin
