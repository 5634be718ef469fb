#include "aladdin/network/unet_tape.h"

#include "aladdin/core/parallel.h"
#include "aladdin/network/dnnl_block.h"

namespace aladdin {
namespace {

using dnnl::memory;

constexpr std::int64_t kRange = 65536;

struct Node {
  Block data;
  Block grad;  // in the layout of the data
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
    add_to(grad, x->grad);
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
      : parameters_(std::move(parameters)),
        input_(node(std::move(input))),
        for_backward_(for_backward) {
    for (const auto& layer : unet_layers(options))
      weight_sizes_.push_back(layer.weight_size(options.dims));
    output_ = run_unet(*this, options, input_);
    output_size_ = size_of(output_->data);
  }

  Value conv(const Value& x, int layer, int stride, Activation activation) {
    return convolve(x, layer, stride, false, activation);
  }
  Value up(const Value& x, int layer, Activation activation) {
    return convolve(x, layer, 2, true, activation);
  }

  Value join(const Value& a, const Value& b) {
    const Value out = node(join_channels(a->data, b->data));
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

  Value add(const Value& a, const Value& b) {
    const InLayout second(b->data.view, a->data.desc());
    const Value out = node(Block(a->data.desc()));
    const float *p = a->data.data(), *q = static_cast<const float*>(second.view.get_data_handle());
    float* to = out->data.data();
    parallel_ranges(out->data.floats(), kRange, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) to[i] = p[i] + q[i];
    });
    if (for_backward_)
      steps_.push_back([a, b, out] {
        Block copy(b->data.desc());
        reorder(out->grad.view, copy.view);
        accumulate(b, std::move(copy));
        accumulate(a, std::move(out->grad));
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
  Value convolve(const Value& x, int layer, int stride, bool transposed, Activation activation) {
    const LayerKey key{size_of(x->data), weight_sizes_[layer], stride, transposed, activation};
    const ForwardLayer& made = forward_layer(key);
    const InLayout kernel(Block(made.weight_plain, parameters_[2 * layer]).view, made.weight);
    const Value out = node(run_layer(made, x->data.view, kernel.view, parameters_[2 * layer + 1]));
    if (for_backward_)
      steps_.push_back([this, x, out, layer, key] { convolve_backward(x, out, layer, key); });
    return out;
  }

  void convolve_backward(const Value& x, const Value& out, int layer, const LayerKey& key) {
    if (key.activation != Activation::none) {
      // The sign of the output is the sign before the activation.
      const float slope =
          key.activation == Activation::leaky ? static_cast<float>(kLeakySlope) : 0.0F;
      const float* value = out->data.data();
      float* grad = out->grad.data();
      parallel_ranges(out->grad.floats(), kRange, [=](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) grad[i] *= value[i] > 0.0F ? 1.0F : slope;
      });
    }
    out->data = {};
    const BackwardLayer& made = backward_layer(key);
    {
      const InLayout source(x->data.view, made.source_for_weight);
      const InLayout grad(out->grad.view, made.grad_target_for_weight);
      const Block by_weight(made.grad_weight);
      made.by_weight.execute(dnnl_stream(),
                             {{DNNL_ARG_SRC, source.view},
                              {DNNL_ARG_DIFF_DST, grad.view},
                              {DNNL_ARG_DIFF_WEIGHTS, by_weight.view},
                              {DNNL_ARG_DIFF_BIAS, Block(made.bias, grads_[2 * layer + 1]).view}});
      reorder(by_weight.view, Block(made.weight_plain, grads_[2 * layer]).view);
    }
    if (layer_done_) layer_done_(layer);
    if (x != input_ || input_needs_grad_) {
      const InLayout grad(out->grad.view, made.grad_target_for_data);
      const InLayout kernel(Block(made.weight_plain, parameters_[2 * layer]).view,
                            made.weight_for_data);
      Block by_source(made.grad_source);
      made.by_data.execute(dnnl_stream(), {{DNNL_ARG_DIFF_DST, grad.view},
                                           {DNNL_ARG_WEIGHTS, kernel.view},
                                           {DNNL_ARG_DIFF_SRC, by_source.view}});
      accumulate(x, std::move(by_source));
    }
    out->grad = {};
  }

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
