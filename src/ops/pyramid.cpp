#include "aladdin/ops/pyramid.h"

#include <torch/csrc/autograd/custom_function.h>

#include "aladdin/core/profile.h"
#include "aladdin/kernels/pyramid.h"

namespace aladdin::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Refine : torch::autograd::Function<Refine> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& field,
                            std::vector<int64_t> sizes) {
    const profile::Span span("between grids");
    const at::Tensor in = field.contiguous();
    context->saved_data["coarse"] = in.sizes().vec();
    const at::Tensor out = at::empty(sizes, in.options());
    kernels::refine(in.data_ptr<float>(), out.data_ptr<float>(), shape_of(out));
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const profile::Span span("between grids");
    const at::Tensor grad = grads[0].contiguous();
    const at::Tensor out = at::empty(context->saved_data["coarse"].toIntVector(), grad.options());
    kernels::refine_backward(grad.data_ptr<float>(), out.data_ptr<float>(), shape_of(grad));
    return {out, at::Tensor()};
  }
};

}  // namespace

at::Tensor reduce(const at::Tensor& image) {
  const profile::Span span("between grids");
  const at::Tensor in = image.detach().contiguous();
  std::vector<int64_t> sizes = in.sizes().vec();
  for (std::size_t dim = 2; dim < sizes.size(); ++dim) sizes[dim] = (sizes[dim] + 1) / 2;
  const at::Tensor out = at::empty(sizes, in.options());
  kernels::reduce(in.data_ptr<float>(), out.data_ptr<float>(), shape_of(in), int(in.size(1)));
  return out;
}

at::Tensor refine(const at::Tensor& field, at::IntArrayRef sizes) {
  std::vector<int64_t> fine = sizes.vec();
  fine[0] = field.size(0);
  fine[1] = field.size(1);
  return Refine::apply(field, fine);
}

}  // namespace aladdin::ops
