#include "aladdin/network/unet_tape.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "aladdin/kernels/activation.h"
#include "aladdin/kernels/channel_sums.h"
#include "aladdin/network/dnnl_block.h"
#include "aladdin/network/flow_end.h"
#include "aladdin/network/weight_gradient.h"

namespace aladdin {
namespace {

using dnnl::memory;

struct Node {
  Block data;
  Block grad;                    // in the layout of the data
  std::function<Block()> again;  // makes the data anew: cheap, so it is not kept for the way back
};
using Value = std::shared_ptr<Node>;

Value node(Block data) {
  auto made = std::make_shared<Node>();
  made->data = std::move(data);
  return made;
}

// x.grad += grad, in the layout of x.
void accumulate(const Value& x, Block grad) {
  const memory::desc own = x->data.desc();
  if (grad.desc() != own) {
    Block moved(own);
    reorder(grad.view, moved.view);
    grad = std::move(moved);
  }
  if (x->grad) {
    add_to(grad.view, x->grad);
  } else {
    x->grad = std::move(grad);
  }
}

}  // namespace

// The backend of run_unet that remembers how to go back.
class UnetTape::Steps {
 public:
  Steps(const UnetOptions& options, std::vector<const float*> parameters, Block input,
        bool for_backward)
      : dims_(options.dims),
        layers_(unet_layers(options)),
        parameters_(std::move(parameters)),
        input_(node(std::move(input))),
        for_backward_(for_backward) {
    for (const auto& layer : layers_) weight_sizes_.push_back(layer.weight_size(options.dims));
    output_ = run_unet(*this, options, input_);
    output_size_ = size_of(output_->data);
  }

  Value conv(const Value& x, int layer, int stride, Activation activation) {
    return convolve(x, layer, stride, false, activation);
  }
  Value residual(const Value& x, int layer, Activation activation, const Value& b) {
    return convolve(x, layer, 1, false, activation, b);
  }
  Value up(const Value& x, int layer, Activation activation) {
    return convolve(x, layer, 2, true, activation);
  }

  Value up_flow(const Value& x, int layer) {
    const FlowEnd end(dims_, layers_[layer].in, layers_[layer].out, layers_[layer + 1].out);
    const FlowEndWeights weights{parameters_[2 * layer], parameters_[2 * layer + 1],
                                 parameters_[2 * layer + 2], parameters_[2 * layer + 3]};
    const LayerKey key = end.key(size_of(x->data));
    const ForwardLayer& made = forward_layer(key);
    const std::vector<float> kernel = end.kernel(weights);
    const std::vector<float> no_bias(static_cast<std::size_t>(key.weight[0]), 0.0F);
    const Block corners =
        run_layer(made, x->data.view, packed_weight(made, kernel.data()).view, no_bias.data());
    std::vector<std::int64_t> full = size_of(x->data);
    full[1] = layers_[layer + 1].out;
    for (std::size_t a = 2; a < full.size(); ++a) full[a] *= 2;
    Value out = node(Block(plain_desc(full)));
    end.place(corners, weights, out->data.data());
    if (for_backward_)
      steps_.push_back([=, this] { up_flow_backward(x, out, end, weights, key, kernel, layer); });
    return out;
  }

  Value join(const Value& a, const Value& b) {
    Value out = node(join_channels(a->data, b->data));
    if (for_backward_)
      steps_.push_back([a, b, out] {
        memory::dims start(a->data.desc().dims().size(), 0);
        for (const Value& part : {a, b}) {
          const memory::desc own = part->data.desc();
          const memory from(out->grad.desc().submemory_desc(own.dims(), start), dnnl_engine(),
                            out->grad.data());
          Block grad(own);
          reorder(from, grad.view);
          accumulate(part, std::move(grad));
          start[1] += own.dims()[1];
        }
        out->grad = {};
      });
    return out;
  }

  const std::vector<std::int64_t>& output_size() const { return output_size_; }
  void copy_output(float* out) const {
    reorder(output_->data.view, Block(plain_desc(output_size_), out).view);
  }

  void backward(const float* grad_output, const std::vector<float*>& grads, float* grad_input,
                const std::function<void(int)>& layer_done) {
    grads_ = grads;
    layer_done_ = layer_done;
    input_needs_grad_ = grad_input != nullptr;
    output_->grad = Block(output_->data.desc());
    reorder(Block(plain_desc(output_size_), grad_output).view, output_->grad.view);
    output_.reset();
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      (*step)();
      *step = nullptr;  // lets go of what only this step still held
    }
    steps_.clear();
    if (grad_input)
      reorder(input_->grad.view, Block(plain_desc(size_of(input_->data)), grad_input).view);
    input_->grad = {};
  }

 private:
  Value convolve(const Value& x, int layer, int stride, bool transposed, Activation activation,
                 const Value& residual = nullptr) {
    const LayerKey key{size_of(x->data), weight_sizes_[layer], stride,
                       transposed,       activation,           residual != nullptr};
    const auto run = [this, x, layer, key, residual] {
      const ForwardLayer& made = forward_layer(key);
      return run_layer(made, x->data.view, packed_weight(made, parameters_[2 * layer]).view,
                       parameters_[2 * layer + 1], residual ? &residual->data : nullptr);
    };
    Value out = node(run());
    if (!for_backward_) return out;
    steps_.push_back(
        [this, x, out, layer, key, residual] { convolve_backward(x, out, layer, key, residual); });
    // The first layer's output is the largest of all, and costs the least to make.
    if (layer == 0) out->again = run;
    if (x->again) x->data = {};
    return out;
  }

  void up_flow_backward(const Value& x, const Value& out, const FlowEnd& end,
                        const FlowEndWeights& weights, const LayerKey& key,
                        const std::vector<float>& kernel, int layer) {
    const BackwardLayer& made = backward_layer(key);
    std::vector<float> by_kernel(kernel.size()), by_bias(static_cast<std::size_t>(key.weight[0]));
    {
      const Block grad = end.collect(out->grad.data(), made.grad_target_for_weight);
      by_weight(made, x->data.view, grad.view, by_kernel.data(), by_bias.data());
      accumulate(x, by_data(made, grad.view, kernel.data()));
    }
    end.gradients(
        weights, by_kernel, out->grad.data(), size_of(out->grad),
        {grads_[2 * layer], grads_[2 * layer + 1], grads_[2 * layer + 2], grads_[2 * layer + 3]});
    if (layer_done_) {
      layer_done_(layer + 1);
      layer_done_(layer);
    }
    out->grad = {};
  }

  static void by_weight(const BackwardLayer& made, const dnnl::memory& x,
                        const dnnl::memory& grad_out, float* grad_weight, float* grad_bias) {
    const InLayout source(x, made.source_for_weight);
    const InLayout grad(grad_out, made.grad_target_for_weight);
    if (made.winograd)
      return kernels::winograd_by_weight(floats_of(source.view), floats_of(grad.view), grad_weight,
                                         grad_bias, *made.winograd);
    const float *from = floats_of(source.view), *to = floats_of(grad.view);
    if (made.transposed)
      (*made.by_weight)(to, from, grad_weight);
    else
      (*made.by_weight)(from, to, grad_weight);
    const auto dims = grad.view.get_desc().dims();
    std::int64_t voxels = 1;
    for (std::size_t a = 2; a < dims.size(); ++a) voxels *= dims[a];
    kernels::sum_channels(
        to, grad_bias, {dims[0], dims[1], voxels, std::max(1, padded_block(grad.view.get_desc()))});
  }

  static Block by_data(const BackwardLayer& made, const dnnl::memory& grad_out,
                       const float* weight) {
    const InLayout grad(grad_out, made.grad_target_for_data);
    if (made.winograd) {
      kernels::WinogradShape back = *made.winograd;
      std::swap(back.in, back.out);
      const kernels::Buffer packed =
          kernels::make_buffer(kernels::kWinogradPlaces * back.in * back.out);
      kernels::winograd_weight(weight, back.in, back.out, true, packed.get());
      Block out(made.grad_source);
      kernels::winograd(floats_of(grad.view), packed.get(), {}, out.data(), back);
      return out;
    }
    const InLayout kernel(Block(made.weight_plain, weight).view, made.weight_for_data);
    Block out(made.grad_source);
    const Block scratch = scratch_of(made.scratch_for_data);
    execute(made.by_data, {{DNNL_ARG_DIFF_DST, grad.view},
                           {DNNL_ARG_WEIGHTS, kernel.view},
                           {DNNL_ARG_DIFF_SRC, out.view},
                           {DNNL_ARG_SCRATCHPAD, scratch.view}});
    return out;
  }

  void convolve_backward(const Value& x, const Value& out, int layer, const LayerKey& key,
                         const Value& residual) {
    if (x->again) x->data = std::exchange(x->again, nullptr)();
    Block grad = residual ? Block(out->grad.desc()) : std::move(out->grad);
    if (key.activation != Activation::none)
      back_through_activation(residual ? out->grad : grad, out->data, residual, key.activation,
                              grad);
    out->data = {};
    const BackwardLayer& made = backward_layer(key);
    by_weight(made, x->data.view, grad.view, grads_[2 * layer], grads_[2 * layer + 1]);
    if (layer_done_) layer_done_(layer);
    if (residual) accumulate(residual, std::move(out->grad));
    out->grad = {};
    if (x != input_ || input_needs_grad_)
      accumulate(x, by_data(made, grad.view, parameters_[2 * layer]));
  }

  // to = from where the layer was active, else the slope times that. The sign of its output is that before the
  // activation; with a residual it is read from the sum, so what rounding swallows counts as inactive.
  static void back_through_activation(const Block& from, const Block& value, const Value& residual,
                                      Activation activation, Block& to) {
    InLayout other;
    if (residual) other = InLayout(residual->data.view, value.desc());
    kernels::activation_backward(from.data(), value.data(),
                                 residual ? floats_of(other.view) : nullptr, slope_of(activation),
                                 to.data(), to.floats());
  }

  int dims_;
  std::vector<UnetLayer> layers_;
  std::vector<const float*> parameters_;
  std::vector<std::vector<std::int64_t>> weight_sizes_;
  std::vector<float*> grads_;
  std::function<void(int)> layer_done_;
  Value input_, output_;
  std::vector<std::int64_t> output_size_;
  bool for_backward_, input_needs_grad_ = false;
  std::vector<std::function<void()>> steps_;
};

UnetTape::UnetTape(const UnetOptions& options, std::vector<const float*> parameters,
                   const float* input, const std::vector<std::int64_t>& input_size,
                   bool for_backward)
    : steps_(std::make_unique<Steps>(options, std::move(parameters),
                                     Block(plain_desc(input_size), input), for_backward)) {}
UnetTape::~UnetTape() = default;
UnetTape::UnetTape(UnetTape&&) noexcept = default;

const std::vector<std::int64_t>& UnetTape::output_size() const { return steps_->output_size(); }
void UnetTape::copy_output(float* out) const { steps_->copy_output(out); }
void UnetTape::backward(const float* grad_output, const std::vector<float*>& grad_parameters,
                        float* grad_input, const std::function<void(int)>& layer_done) {
  steps_->backward(grad_output, grad_parameters, grad_input, layer_done);
}

}  // namespace aladdin
