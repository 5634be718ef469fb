#include "aladdin/network/unet_cost.h"

#include <algorithm>
#include <chrono>

#include "aladdin/network/dnnl_block.h"

namespace aladdin {
namespace {

using Size = std::vector<std::int64_t>;

double product(const Size& size, std::size_t from) {
  double out = 1;
  for (std::size_t i = from; i < size.size(); ++i) out *= static_cast<double>(size[i]);
  return out;
}

// The backend of run_unet that only counts.
struct Counter {
  std::vector<UnetLayer> layers;
  int dims;
  std::vector<double> flops;

  Size conv(Size x, int layer, int stride, Activation) {
    for (std::size_t a = 2; a < x.size(); ++a) x[a] = (x[a] - 1) / stride + 1;
    add(layer, static_cast<double>(x[0]) * product(x, 2));
    x[1] = layers[layer].out;
    return x;
  }
  Size residual(const Size& x, int layer, Activation activation, const Size&) {
    return conv(x, layer, 1, activation);
  }
  Size up(Size x, int layer, Activation) {
    add(layer, static_cast<double>(x[0]) * product(x, 2));
    for (std::size_t a = 2; a < x.size(); ++a) x[a] *= 2;
    x[1] = layers[layer].out;
    return x;
  }
  Size up_flow(const Size& x, int layer) {
    return conv(up(x, layer, Activation::none), layer + 1, 1, Activation::none);
  }
  Size join(Size a, const Size& b) {
    a[1] += b[1];
    return a;
  }

  void add(int layer, double places) {
    flops.push_back(2 * places * product(layers[layer].weight_size(dims), 0));
  }
};

std::vector<double> flops_of_layers(const UnetOptions& options, const Size& input_size) {
  Counter counter{unet_layers(options), options.dims, {}};
  run_unet(counter, options, input_size);
  return counter.flops;
}

double sum(const std::vector<double>& values) {
  double out = 0;
  for (const double value : values) out += value;
  return out;
}

template <class Work>
double best_rate(double flops, Work&& work) {
  double best = 0;
  for (int i = 0; i < 8; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (i > 0) best = std::max(best, flops / seconds);  // the first one makes the code
  }
  return best;
}

double product_rate() {
  constexpr std::int64_t n = 1024;
  const std::vector<float> a(n * n, 0.5F), b(n * n, 0.25F);
  std::vector<float> c(n * n);
  const LibraryThreads all(threads());
  return best_rate(2.0 * n * n * n, [&] {
    dnnl::sgemm('N', 'N', n, n, n, 1.0F, a.data(), n, b.data(), n, 0.0F, c.data(), n);
  });
}

double convolution_rate() {
  const LayerKey key{{2, 64, 128, 144}, {64, 64, 3, 3}};  // in 3-D Winograd's algorithm would run
  const ForwardLayer& made = forward_layer(key);
  const Block x(made.source), weight(made.weight), y(made.target);
  const std::vector<float> bias(64, 0.0F);
  std::fill_n(x.data(), x.floats(), 0.5F);
  std::fill_n(weight.data(), weight.floats(), 0.25F);
  return best_rate(2.0 * 2 * 128 * 144 * 64 * 64 * 9,
                   [&] { run_layer(made, x.view, weight.view, bias.data()); });
}

}  // namespace

double unet_flops(const UnetOptions& options, const Size& input_size) {
  return sum(flops_of_layers(options, input_size));
}

double unet_training_flops(const UnetOptions& options, const Size& input_size) {
  const auto flops = flops_of_layers(options, input_size);
  return 3 * sum(flops) - flops.front();
}

double measured_peak() { return std::max(product_rate(), convolution_rate()); }

}  // namespace aladdin
