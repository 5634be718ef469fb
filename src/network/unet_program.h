// The one description of the network, run by any backend:
//
//   Value conv(Value x, int layer, int stride, Activation)   3x3x3, bias, activation
//   Value residual(Value x, int layer, Activation, Value b)  conv of stride 1, then + b
//   Value up(Value x, int layer, Activation)                 transposed 2x2x2, stride 2, bias, activation
//   Value up_flow(Value x, int layer)                        up, then conv, nothing between or after them: `layer`
//                                                            and the one after it
//   Value join(Value a, Value b)                             channels of a, then of b
#pragma once

#include "aladdin/network/unet_layers.h"

namespace aladdin {

enum class Activation { none, relu, leaky };

constexpr double kLeakySlope = 0.01;

// The slope of the activation below zero.
constexpr float slope_of(Activation activation) {
  if (activation == Activation::none) return 1.0F;
  return activation == Activation::relu ? 0.0F : static_cast<float>(kLeakySlope);
}

template <class Backend, class Value>
Value run_unet(Backend& backend, const UnetOptions& options, Value x) {
  int layer = 0;
  const auto conv = [&](const Value& in, int stride, Activation activation) {
    return backend.conv(in, layer++, stride, activation);
  };
  std::vector<Value> levels;
  x = conv(x, 1, Activation::relu);
  for (int level = 1; level <= options.depth; ++level) {
    x = conv(x, 2, Activation::relu);
    const int more = level == options.depth ? 1 : 2;
    const bool from_first = options.published && level == 1;
    Value first;
    if (from_first) first = x;
    for (int i = 0; i < more; ++i)
      x = backend.residual(x, layer++, Activation::relu, from_first ? first : x);
    levels.push_back(x);
  }
  levels.pop_back();
  for (int level = options.depth - 1; level >= 1; --level) {
    x = backend.up(x, layer++, Activation::leaky);
    x = options.published ? backend.join(levels.back(), x) : backend.join(x, levels.back());
    levels.pop_back();
    const Activation activation = level > 1 ? Activation::leaky : Activation::none;
    x = conv(x, 1, activation);
    x = level > 1 ? backend.residual(x, layer++, activation, x) : conv(x, 1, activation);
  }
  if (options.velocity_scale == 1) return backend.up_flow(x, layer);
  return conv(x, 1, Activation::none);
}

}  // namespace aladdin
