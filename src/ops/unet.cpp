#include "aladdin/ops/unet.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include "aladdin/core/error.h"
#include "aladdin/core/profile.h"
#include "aladdin/network/unet_cost.h"
#include "aladdin/network/unet_program.h"
#include "aladdin/network/unet_tape.h"

namespace aladdin {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

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
  at::Tensor residual(const at::Tensor& x, int layer, Activation activation,
                      const at::Tensor& b) const {
    return conv(x, layer, 1, activation) + b;
  }
  at::Tensor up(const at::Tensor& x, int layer, Activation activation) const {
    return activate(convolve(x, layer, 2, true), activation);
  }
  at::Tensor up_flow(const at::Tensor& x, int layer) const {
    return conv(up(x, layer, Activation::none), layer + 1, 1, Activation::none);
  }
  at::Tensor join(const at::Tensor& a, const at::Tensor& b) const { return at::cat({a, b}, 1); }
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

// The published flow to our velocity (network/unet_layers.h).
at::Tensor flow_to_velocity(const at::Tensor& flow) {
  const int64_t dims = flow.size(1);
  std::vector<int64_t> per_component(flow.dim(), 1);
  per_component[1] = dims;
  std::vector<float> scale;
  for (int64_t c = 0; c < dims; ++c)
    scale.push_back(-0.5F * float(flow.size(flow.dim() - 1 - c) - 1));
  return flow.flip({1}) * at::tensor(scale, at::kFloat).to(flow.options()).view(per_component);
}

at::Tensor finished(const at::Tensor& output, const at::Tensor& input, const UnetOptions& options) {
  const at::Tensor visible = cut(output, input, options.velocity_scale);
  return options.published ? flow_to_velocity(visible) : visible;
}

UnetTape run_tape(const UnetOptions& options, const std::vector<at::Tensor>& parameters,
                  const at::Tensor& input, bool for_backward) {
  std::vector<const float*> values;
  for (const auto& parameter : parameters) values.push_back(parameter.data_ptr<float>());
  return {options, values, input.data_ptr<float>(), input.sizes().vec(), for_backward};
}

at::Tensor output_of(const UnetTape& tape, const at::Tensor& input) {
  const at::Tensor out = at::empty(tape.output_size(), input.options().requires_grad(false));
  tape.copy_output(out.data_ptr<float>());
  return out;
}

// One autograd node for the whole network; holds the tensors that the tape looks at.
struct Holder : torch::CustomClassHolder {
  std::vector<at::Tensor> parameters;
  at::Tensor input;
  UnetTape tape;
  GradientListener* listener;

  Holder(const UnetOptions& options, std::vector<at::Tensor> own, const at::Tensor& image,
         GradientListener* hears)
      : parameters(std::move(own)),
        input(image),
        tape(run_tape(options, parameters, input, true)),
        listener(hears) {}
};

struct UnetFunction : torch::autograd::Function<UnetFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input,
                            at::TensorList parameters, const UnetOptions& options,
                            GradientListener* listener) {
    const double flops = profile::on() ? unet_flops(options, input.sizes().vec()) : 0;
    const profile::Span span("network", flops);
    const auto holder = c10::make_intrusive<Holder>(options, parameters.vec(), input, listener);
    if (listener) listener->recorded();
    context->saved_data["tape"] = at::IValue::make_capsule(holder);
    context->saved_data["by_input"] = input.requires_grad();
    if (profile::on())
      context->saved_data["flops"] = unet_training_flops(options, input.sizes().vec()) - flops;
    return output_of(holder->tape, input);
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const profile::Span span("network, backward",
                             profile::on() ? context->saved_data["flops"].toDouble() : 0);
    const auto capsule = context->saved_data["tape"].toCapsule();
    Holder& holder = static_cast<Holder&>(*capsule);
    const at::Tensor grad = grads[0].contiguous();
    variable_list out{at::Tensor()};
    float* by_input = nullptr;
    if (context->saved_data["by_input"].toBool()) {
      out[0] = at::empty_like(holder.input);
      by_input = out[0].data_ptr<float>();
    }
    std::vector<float*> by_parameters;
    for (const auto& parameter : holder.parameters) {
      out.push_back(at::empty_like(parameter));
      by_parameters.push_back(out.back().data_ptr<float>());
    }
    holder.tape.backward(grad.data_ptr<float>(), by_parameters, by_input, [&](int layer) {
      if (!holder.listener) return;
      for (const std::size_t n : {2 * layer + 1, 2 * layer}) holder.listener->found(n, out[1 + n]);
    });
    out.emplace_back();  // the options
    out.emplace_back();  // the listener
    context->saved_data.erase("tape");
    return out;
  }
};

at::Tensor run_unet_dnnl(const UnetOptions& options, const std::vector<at::Tensor>& parameters,
                         const at::Tensor& input, GradientListener* listener) {
  const at::Tensor contiguous = input.contiguous();
  if (at::GradMode::is_enabled())
    return UnetFunction::apply(contiguous, at::TensorList(parameters), options, listener);
  return output_of(run_tape(options, parameters, contiguous, false), contiguous);
}

}  // namespace

Unet::Unet(const UnetOptions& options, std::uint64_t seed) : options_(options) {
  const auto values = initial_parameters(options, seed);
  const auto described = unet_parameters(options);
  for (std::size_t i = 0; i < values.size(); ++i) {
    at::Tensor parameter = at::empty(described[i].size, at::kFloat);
    std::copy(values[i].begin(), values[i].end(), parameter.data_ptr<float>());
    parameters_.push_back(parameter.requires_grad_(true));
  }
}

Unet::Unet(const UnetOptions& options, std::vector<at::Tensor> parameters)
    : options_(options), parameters_(std::move(parameters)) {
  options_.validate();
  const auto expected = unet_parameters(options_);
  if (parameters_.size() != expected.size())
    fail("the network has {} parameters, expected {}", parameters_.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (parameters_[i].sizes().vec() != expected[i].size)
      fail("'{}' has the shape {}, expected {}", expected[i].name, c10::str(parameters_[i].sizes()),
           c10::str(at::IntArrayRef(expected[i].size)));
}

at::Tensor Unet::velocity(const at::Tensor& input) const {
  if (!input.device().is_cpu() || input.scalar_type() != at::kFloat) return velocity_plain(input);
  return finished(run_unet_dnnl(options_, parameters_, padded(input, options_.depth), listener_),
                  input, options_);
}

at::Tensor Unet::velocity_plain(const at::Tensor& input) const {
  PlainBackend backend{parameters_, options_.dims};
  return finished(run_unet(backend, options_, padded(input, options_.depth)), input, options_);
}

std::vector<std::string> Unet::parameter_names() const {
  std::vector<std::string> names;
  for (const auto& parameter : unet_parameters(options_)) names.push_back(parameter.name);
  return names;
}

}  // namespace aladdin
