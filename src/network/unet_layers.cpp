#include "aladdin/network/unet_layers.h"

#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/rng.h"

namespace aladdin {
namespace {

constexpr double kFlowScale = 1e-3;  // of the Xavier weights: training starts at the identity

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

kernels::Border border_of(const UnetOptions& options) {
  return options.published ? kernels::Border::zero : kernels::Border::clamp;
}

std::vector<std::int64_t> UnetLayer::weight_size(int dims) const {
  std::vector<std::int64_t> size{transposed ? in : out, transposed ? out : in};
  size.insert(size.end(), dims, transposed ? 2 : 3);
  return size;
}

std::vector<UnetLayer> unet_layers(const UnetOptions& o) {
  const auto channels = [&](int level) { return o.width << level; };
  std::vector<UnetLayer> layers{{"down0", 0, o.inputs, channels(0), false}};
  for (int level = 1; level <= o.depth; ++level)
    for (int i = 0; i < (level == o.depth ? 2 : 3); ++i)
      layers.push_back({fmt::format("down{}.{}", level, i), level,
                        channels(i == 0 ? level - 1 : level), channels(level), false});
  int in = channels(o.depth);
  for (int level = o.depth - 1; level >= 1; --level) {
    const int out = level == o.depth - 1 && level > 1 ? channels(level) : channels(level - 1);
    layers.push_back({fmt::format("up{}.up", level), level, in, channels(level), true});
    layers.push_back({fmt::format("up{}.0", level), level, 2 * channels(level), out, false});
    layers.push_back({fmt::format("up{}.1", level), level, out, out, false});
    in = out;
  }
  if (o.velocity_scale == 1) {
    layers.push_back({"up0.up", 0, in, channels(0), true});
    in = channels(0);
  }
  layers.push_back({"up0.flow", 0, in, o.dims, false});
  return layers;
}

std::int64_t UnetParameter::values() const {
  std::int64_t count = 1;
  for (const auto length : size) count *= length;
  return count;
}

std::vector<UnetParameter> unet_parameters(const UnetOptions& options) {
  std::vector<UnetParameter> all;
  for (const auto& layer : unet_layers(options)) {
    all.push_back({layer.name + ".weight", layer.weight_size(options.dims)});
    all.push_back({layer.name + ".bias", {layer.out}});
  }
  return all;
}

std::vector<std::vector<float>> initial_parameters(const UnetOptions& options, std::uint64_t seed) {
  options.validate();
  const auto layers = unet_layers(options);
  const auto sizes = unet_parameters(options);
  std::vector<std::vector<float>> parameters;
  for (const auto& parameter : sizes) parameters.emplace_back(parameter.values(), 0.0F);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const double taps = std::pow(layers[l].transposed ? 2 : 3, options.dims);
    double deviation = std::sqrt(2.0 / (taps * (layers[l].in + layers[l].out)));
    if (l + 1 == layers.size() && !options.published) deviation *= kFlowScale;
    Rng rng(seed, l);
    for (float& value : parameters[2 * l]) value = static_cast<float>(deviation * rng.normal());
  }
  return parameters;
}

}  // namespace aladdin
