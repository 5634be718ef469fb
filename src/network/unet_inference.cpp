#include "aladdin/network/unet_inference.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "aladdin/core/error.h"
#include "aladdin/network/dnnl_block.h"
#include "aladdin/network/flow_end.h"

namespace aladdin {
namespace {

using Size = std::vector<std::int64_t>;
using Value = std::shared_ptr<Block>;

// Copies rows of the volumes `from` into `to`; beyond the far border of `from` its last voxel goes on.
// 2-D volumes are (n, c, h, w).
void copy_rows(const float* from, const Size& from_size, float* to, const Size& to_size) {
  const bool flat = from_size.size() == 4;
  const auto axis = [&](const Size& size, int back) {  // 0: w, 1: h, 2: d
    return flat && back == 2 ? 1 : size[size.size() - 1 - back];
  };
  const std::int64_t w = axis(from_size, 0), h = axis(from_size, 1), d = axis(from_size, 2);
  const std::int64_t tw = axis(to_size, 0), th = axis(to_size, 1), td = axis(to_size, 2);
  for (std::int64_t plane = 0; plane < from_size[0] * from_size[1]; ++plane)
    for (std::int64_t z = 0; z < td; ++z)
      for (std::int64_t y = 0; y < th; ++y) {
        const float* row = from + w * (std::min(y, h - 1) + h * (std::min(z, d - 1) + d * plane));
        float* out = to + tw * (y + th * (z + td * plane));
        std::copy_n(row, std::min(w, tw), out);
        if (tw > w) std::fill(out + w, out + tw, row[w - 1]);
      }
}

std::int64_t product(const Size& size) {
  return std::accumulate(size.begin(), size.end(), std::int64_t{1}, std::multiplies<>());
}

// The published flow to our velocity (unet_layers.h), in place.
void flow_to_velocity(float* flow, const Size& size) {
  const std::int64_t dims = size[1], voxels = product(size) / (size[0] * dims);
  for (std::int64_t n = 0; n < size[0]; ++n) {
    float* const item = flow + n * dims * voxels;
    for (std::int64_t c = 0; c < dims / 2; ++c)
      std::swap_ranges(item + c * voxels, item + (c + 1) * voxels, item + (dims - 1 - c) * voxels);
    for (std::int64_t c = 0; c < dims; ++c) {
      const float scale = -0.5F * static_cast<float>(size[size.size() - 1 - c] - 1);
      for (std::int64_t i = 0; i < voxels; ++i) item[c * voxels + i] *= scale;
    }
  }
}

}  // namespace

// The backend of run_unet.
class UnetInference::Layers {
 public:
  Layers(const UnetOptions& options, std::vector<std::vector<float>> parameters)
      : options_(options), parameters_(std::move(parameters)) {
    options_.validate();
    const auto expected = unet_parameters(options_);
    if (parameters_.size() != expected.size())
      fail("the network has {} parameters, expected {}", parameters_.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (static_cast<std::int64_t>(parameters_[i].size()) != expected[i].values())
        fail("'{}' has {} values, expected {}", expected[i].name, parameters_[i].size(),
             expected[i].values());
    layers_ = unet_layers(options_);
    for (const auto& layer : layers_) weight_sizes_.push_back(layer.weight_size(options_.dims));
    packed_.resize(weight_sizes_.size());
    if (options_.velocity_scale == 1) {
      const int layer = static_cast<int>(layers_.size()) - 2;
      end_kernel_ = flow_end(layer).kernel(flow_end_weights(layer));
      end_bias_.assign(flow_end(layer).key({}).weight[0], 0.0F);
    }
  }

  void velocity(const float* input, const Size& size, float* out) {
    if (static_cast<int>(size.size()) != options_.dims + 2 || size[1] != options_.inputs)
      fail("the network takes {} channels in {}-D", options_.inputs, options_.dims);
    const std::int64_t unit = std::int64_t{1} << options_.depth;
    Size padded = size, cut = size;
    cut[1] = options_.dims;
    for (std::size_t a = 2; a < size.size(); ++a) {
      padded[a] = (size[a] + unit - 1) / unit * unit;
      cut[a] = (size[a] + options_.velocity_scale - 1) / options_.velocity_scale;
    }
    auto first = std::make_shared<Block>(plain_desc(padded));
    copy_rows(input, size, first->data(), padded);
    const Value last = run_unet(*this, options_, std::move(first));
    copy_output(*last, out, cut);
    if (options_.published) flow_to_velocity(out, cut);
  }

  Value conv(const Value& x, int layer, int stride, Activation activation) {
    return convolve(x, layer, stride, false, activation);
  }
  Value residual(const Value& x, int layer, Activation activation, const Value& b) {
    return convolve(x, layer, 1, false, activation, b.get());
  }
  Value up(const Value& x, int layer, Activation activation) {
    return convolve(x, layer, 2, true, activation);
  }
  Value up_flow(const Value& x, int layer) {
    const FlowEnd end = flow_end(layer);
    const ForwardLayer& made = forward_layer(end.key(size_of(*x)));
    const Block corners =
        run_layer(made, x->view, packed(layer, made, end_kernel_.data()), end_bias_.data());
    Size full = size_of(*x);
    full[1] = layers_[layer + 1].out;
    for (std::size_t a = 2; a < full.size(); ++a) full[a] *= 2;
    auto out = std::make_shared<Block>(plain_desc(full));
    end.place(corners, flow_end_weights(layer), out->data());
    return out;
  }
  Value join(const Value& a, const Value& b) {
    return std::make_shared<Block>(join_channels(*a, *b));
  }
  const UnetOptions& options() const { return options_; }

 private:
  FlowEnd flow_end(int layer) const {
    return {options_.dims, layers_[layer].in, layers_[layer].out, layers_[layer + 1].out};
  }
  FlowEndWeights flow_end_weights(int layer) const {
    return {parameters_[2 * layer].data(), parameters_[2 * layer + 1].data(),
            parameters_[2 * layer + 2].data(), parameters_[2 * layer + 3].data()};
  }

  void copy_output(const Block& last, float* out, const Size& cut) const {
    const Size full = size_of(last);
    if (full == cut) return reorder(last.view, Block(plain_desc(cut), out).view);
    const kernels::Buffer plain = kernels::make_buffer(product(full));
    reorder(last.view, Block(plain_desc(full), plain.get()).view);
    copy_rows(plain.get(), full, out, cut);
  }

  Value convolve(const Value& x, int layer, int stride, bool transposed, Activation activation,
                 const Block* residual = nullptr) {
    const ForwardLayer& made = forward_layer(
        {size_of(*x), weight_sizes_[layer], stride, transposed, activation, residual != nullptr});
    return std::make_shared<Block>(run_layer(made, x->view,
                                             packed(layer, made, parameters_[2 * layer].data()),
                                             parameters_[2 * layer + 1].data(), residual));
  }

  // Different sizes of the input may want different layouts.
  dnnl::memory packed(int layer, const ForwardLayer& made, const float* weight) {
    const std::scoped_lock lock(mutex_);
    for (const Block& block : packed_[layer])
      if (block.desc() == made.weight) return block.view;
    packed_[layer].push_back(packed_weight(made, weight));
    return packed_[layer].back().view;
  }

  UnetOptions options_;
  std::vector<std::vector<float>> parameters_;
  std::vector<UnetLayer> layers_;
  std::vector<Size> weight_sizes_;
  std::vector<float> end_kernel_, end_bias_;  // of flow_end.h
  std::mutex mutex_;
  std::vector<std::vector<Block>> packed_;  // of each layer
};

UnetInference::UnetInference(const UnetOptions& options, std::vector<std::vector<float>> parameters)
    : layers_(std::make_unique<Layers>(options, std::move(parameters))) {}
UnetInference::~UnetInference() = default;
UnetInference::UnetInference(UnetInference&&) noexcept = default;
UnetInference& UnetInference::operator=(UnetInference&&) noexcept = default;

void UnetInference::velocity(const float* input, const std::vector<std::int64_t>& size,
                             float* out) {
  layers_->velocity(input, size, out);
}
const UnetOptions& UnetInference::options() const { return layers_->options(); }

}  // namespace aladdin
