#include "aladdin/network/unet_dnnl.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include <functional>

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/slabs.h"
#include "aladdin/network/dnnl_layer.h"

namespace aladdin {
namespace {

using dnnl::memory;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kRange = 65536;

memory::dims dims_of(const memory::desc& desc) { return desc.dims(); }

// Memory of our own behind a oneDNN description, or a view of a tensor.
struct Block {
  kernels::Buffer owned;
  memory view;

  Block() = default;
  explicit Block(const memory::desc& desc)
      : owned(kernels::make_buffer(static_cast<std::int64_t>(desc.get_size() / sizeof(float)))),
        view(desc, dnnl_engine(), owned.get()) {}
  Block(const memory::desc& desc, const at::Tensor& tensor)
      : view(desc, dnnl_engine(), tensor.data_ptr()) {}

  explicit operator bool() const { return static_cast<bool>(view); }
  float* data() const { return static_cast<float*>(view.get_data_handle()); }
  std::int64_t floats() const {
    return static_cast<std::int64_t>(view.get_desc().get_size() / sizeof(float));
  }
};

void reorder(const memory& from, const memory& to) {
  dnnl::reorder(from, to).execute(dnnl_stream(), const_cast<memory&>(from),
                                  const_cast<memory&>(to));
}

// `block` in the layout `desc`; a copy only where the layouts differ.
struct InLayout {
  Block copy;
  memory view;
  InLayout(const memory& block, const memory::desc& desc) : view(block) {
    if (block.get_desc() == desc) return;
    copy = Block(desc);
    reorder(block, copy.view);
    view = copy.view;
  }
};

struct Node {
  Block data;
  Block grad;        // in the layout of the data
  at::Tensor keeps;  // the tensor that `data` looks at, if any
};
using Value = std::shared_ptr<Node>;

void execute(const dnnl::primitive& primitive, const std::unordered_map<int, memory>& arguments) {
  primitive.execute(dnnl_stream(), arguments);
}

// Runs the layers; with `training` it remembers how to go back.
class Tape : public torch::CustomClassHolder {
 public:
  Tape(std::vector<at::Tensor> parameters, bool training)
      : parameters_(std::move(parameters)), grads_(parameters_.size()), training_(training) {}

  Value conv(const Value& x, int layer, int stride, Activation activation) {
    return convolve(x, layer, stride, false, activation);
  }
  Value up(const Value& x, int layer, Activation activation) {
    return convolve(x, layer, 2, true, activation);
  }

  Value join(const Value& a, const Value& b) {
    const std::vector<memory::desc> parts{a->data.view.get_desc(), b->data.view.get_desc()};
    const dnnl::concat::primitive_desc description(1, parts, dnnl_engine());
    auto out = std::make_shared<Node>();
    out->data = Block(description.dst_desc());
    execute(dnnl::concat(description), {{DNNL_ARG_MULTIPLE_SRC, a->data.view},
                                        {DNNL_ARG_MULTIPLE_SRC + 1, b->data.view},
                                        {DNNL_ARG_DST, out->data.view}});
    if (training_)
      steps_.push_back([this, a, b, out] {
        memory::dims start(dims_of(a->data.view.get_desc()).size(), 0);
        for (const Value& part : {a, b}) {
          const memory::desc whole = out->grad.view.get_desc(), own = part->data.view.get_desc();
          const memory from(whole.submemory_desc(own.dims(), start), dnnl_engine(),
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
    const InLayout second(b->data.view, a->data.view.get_desc());
    auto out = std::make_shared<Node>();
    out->data = Block(a->data.view.get_desc());
    const float *p = a->data.data(), *q = static_cast<const float*>(second.view.get_data_handle());
    float* to = out->data.data();
    parallel_ranges(out->data.floats(), kRange, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) to[i] = p[i] + q[i];
    });
    if (training_)
      steps_.push_back([this, a, b, out] {
        Block copy(b->data.view.get_desc());
        reorder(out->grad.view, copy.view);
        accumulate(b, std::move(copy));
        accumulate(a, std::move(out->grad));
        out->grad = {};
      });
    return out;
  }

  // Goes back from the last value; the gradients of the parameters are then in grads().
  void backward(const Value& last, Block grad) {
    last->grad = std::move(grad);
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      (*step)();
      *step = nullptr;  // lets go of what only this step still held
    }
    steps_.clear();
  }

  const std::vector<at::Tensor>& grads() const { return grads_; }
  Value input, output;
  bool input_needs_grad = false;

 private:
  Value convolve(const Value& x, int layer, int stride, bool transposed, Activation activation) {
    const at::Tensor &weight = parameters_[2 * layer], &bias = parameters_[2 * layer + 1];
    const memory::dims in = dims_of(x->data.view.get_desc());
    const LayerPrimitives& made = layer_primitives(
        {{in.begin(), in.end()}, weight.sizes().vec(), stride, transposed, activation});
    const InLayout source(x->data.view, made.source);
    const InLayout kernel(Block(made.weight_plain, weight).view, made.weight);
    auto out = std::make_shared<Node>();
    out->data = Block(made.target);
    execute(made.forward, {{DNNL_ARG_SRC, source.view},
                           {DNNL_ARG_WEIGHTS, kernel.view},
                           {DNNL_ARG_BIAS, Block(made.bias, bias).view},
                           {DNNL_ARG_DST, out->data.view}});
    if (training_)
      steps_.push_back([this, x, out, layer, activation, &made] {
        convolve_backward(x, out, layer, activation, made);
      });
    return out;
  }

  void convolve_backward(const Value& x, const Value& out, int layer, Activation activation,
                         const LayerPrimitives& made) {
    if (activation != Activation::none) {
      // The sign of the output is the sign before the activation.
      const float slope = activation == Activation::leaky ? static_cast<float>(kLeakySlope) : 0.0F;
      const float* value = out->data.data();
      float* grad = out->grad.data();
      parallel_ranges(out->grad.floats(), kRange, [=](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) grad[i] *= value[i] > 0.0F ? 1.0F : slope;
      });
    }
    out->data = {};
    const at::Tensor& weight = parameters_[2 * layer];
    {
      const InLayout source(x->data.view, made.source_for_weight);
      const InLayout grad(out->grad.view, made.grad_target_for_weight);
      grads_[2 * layer] = at::empty_like(weight);
      grads_[2 * layer + 1] = at::empty_like(parameters_[2 * layer + 1]);
      const Block plain(made.weight_plain, grads_[2 * layer]);
      const Block by_weight(made.grad_weight);
      execute(made.backward_weight,
              {{DNNL_ARG_SRC, source.view},
               {DNNL_ARG_DIFF_DST, grad.view},
               {DNNL_ARG_DIFF_WEIGHTS, by_weight.view},
               {DNNL_ARG_DIFF_BIAS, Block(made.bias, grads_[2 * layer + 1]).view}});
      reorder(by_weight.view, plain.view);
    }
    if (x != input || input_needs_grad) {
      const InLayout grad(out->grad.view, made.grad_target_for_data);
      const InLayout kernel(Block(made.weight_plain, weight).view, made.weight_for_data);
      Block by_source(made.grad_source);
      execute(made.backward_data, {{DNNL_ARG_DIFF_DST, grad.view},
                                   {DNNL_ARG_WEIGHTS, kernel.view},
                                   {DNNL_ARG_DIFF_SRC, by_source.view}});
      accumulate(x, std::move(by_source));
    }
    out->grad = {};
  }

  // x.grad += grad, in the layout of x.
  void accumulate(const Value& x, Block grad) {
    const memory::desc own = x->data.view.get_desc();
    if (grad.view.get_desc() != own) {
      Block moved(own);
      reorder(grad.view, moved.view);
      grad = std::move(moved);
    }
    if (!x->grad) {
      x->grad = std::move(grad);
      return;
    }
    float* to = x->grad.data();
    const float* from = grad.data();
    parallel_ranges(grad.floats(), kRange, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) to[i] += from[i];
    });
  }

  std::vector<at::Tensor> parameters_, grads_;
  bool training_;
  std::vector<std::function<void()>> steps_;
};

memory::desc plain_desc(const at::Tensor& tensor) {
  const at::Tensor c = tensor;
  return {memory::dims(c.sizes().begin(), c.sizes().end()), memory::data_type::f32,
          memory::dims(c.strides().begin(), c.strides().end())};
}

at::Tensor forward_on(Tape& tape, const UnetOptions& options, const at::Tensor& input) {
  tape.input = std::make_shared<Node>();
  tape.input->keeps = input;
  tape.input->data = Block(plain_desc(input), input);
  const Value last = run_unet(tape, options, tape.input);
  tape.output = last;
  const memory::dims size = dims_of(last->data.view.get_desc());
  const at::Tensor out = at::empty(std::vector<int64_t>(size.begin(), size.end()), input.options());
  reorder(last->data.view, Block(plain_desc(out), out).view);
  return out;
}

struct UnetFunction : torch::autograd::Function<UnetFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            at::TensorList parameters, const UnetOptions& options) {
    auto tape = c10::make_intrusive<Tape>(parameters.vec(), true);
    tape->input_needs_grad = input.requires_grad();
    const at::Tensor out = forward_on(*tape, options, input);
    context->saved_data["tape"] = at::IValue::make_capsule(tape);
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto capsule = context->saved_data["tape"].toCapsule();
    Tape& tape = static_cast<Tape&>(*capsule);
    const at::Tensor grad = grads[0].contiguous();
    Block start(tape.output->data.view.get_desc());
    reorder(Block(plain_desc(grad), grad).view, start.view);
    const Value last = tape.output;
    tape.output.reset();
    tape.backward(last, std::move(start));
    variable_list out;
    if (tape.input_needs_grad) {
      const at::Tensor by_input = at::empty_like(tape.input->keeps);
      reorder(tape.input->grad.view, Block(plain_desc(by_input), by_input).view);
      out.push_back(by_input);
    } else {
      out.emplace_back();
    }
    out.insert(out.end(), tape.grads().begin(), tape.grads().end());
    out.emplace_back();  // the options
    context->saved_data.erase("tape");
    return out;
  }
};

}  // namespace

at::Tensor run_unet_dnnl(const UnetOptions& options, const std::vector<at::Tensor>& parameters,
                         const at::Tensor& input) {
  const at::Tensor contiguous = input.contiguous();
  if (at::GradMode::is_enabled())
    return UnetFunction::apply(contiguous, at::TensorList(parameters), options);
  Tape tape(parameters, false);
  return forward_on(tape, options, contiguous);
}

}  // namespace aladdin
