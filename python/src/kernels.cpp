// The differentiable kernels over plain arrays, for aladdin/torch.py: contiguous float32, (n, channels[, d], h, w).
#include "aladdin/kernels/bending.h"
#include "aladdin/kernels/exponential.h"
#include "aladdin/kernels/similarity.h"
#include "aladdin/kernels/warp.h"
#include "bindings.h"

namespace aladdin::python {
namespace {

using Array = py::array_t<float, py::array::c_style>;
using kernels::Shape;

Shape shape_of(const Array& array) {
  if (array.ndim() != 4 && array.ndim() != 5)
    throw py::type_error("expected an array (n, channels, h, w) or (n, channels, d, h, w)");
  Shape shape;
  shape.dims = static_cast<int>(array.ndim()) - 2;
  shape.n = array.shape(0);
  shape.d = shape.dims == 3 ? array.shape(2) : 1;
  shape.h = array.shape(array.ndim() - 2);
  shape.w = array.shape(array.ndim() - 1);
  return shape;
}

void require_like(const Array& array, const Array& other, py::ssize_t channels) {
  std::vector<py::ssize_t> shape(other.shape(), other.shape() + other.ndim());
  shape[1] = channels;
  require_shape(array, shape);
}

Array like(const Array& array) {
  return Array(std::vector<py::ssize_t>(array.shape(), array.shape() + array.ndim()));
}

kernels::Border border_of(const std::string& name) {
  if (name == "clamp") return kernels::Border::clamp;
  if (name == "zero") return kernels::Border::zero;
  throw py::value_error("border is 'clamp' or 'zero'");
}

Array warp(PythonCall& call, const Array& in, const Array& u, const std::string& border) {
  const Shape shape = shape_of(in);
  require_like(u, in, shape.dims);
  const auto rule = border_of(border);
  Array out = like(in);
  float* to = out.mutable_data();
  const int channels = static_cast<int>(in.shape(1));
  run(call, [&, a = in.data(), b = u.data()] { kernels::warp(a, b, to, shape, channels, rule); });
  return out;
}

py::tuple warp_backward(PythonCall& call, const Array& in, const Array& u, const Array& grad,
                        const std::string& border) {
  const Shape shape = shape_of(in);
  require_like(u, in, shape.dims);
  require_like(grad, in, in.shape(1));
  const auto rule = border_of(border);
  Array grad_in = like(in), grad_u = like(u);
  float *to_in = grad_in.mutable_data(), *to_u = grad_u.mutable_data();
  const int channels = static_cast<int>(in.shape(1));
  run(call, [&, a = in.data(), b = u.data(), g = grad.data()] {
    kernels::warp_backward(a, b, g, to_in, to_u, shape, channels, rule);
  });
  return py::make_tuple(grad_in, grad_u);
}

Array exponential(PythonCall& call, const Array& v, int squarings, float sign) {
  const Shape shape = shape_of(v);
  require_like(v, v, shape.dims);
  Array out = like(v);
  float* to = out.mutable_data();
  run(call, [&, a = v.data()] { kernels::exponential(a, to, shape, squarings, sign); });
  return out;
}

Array exponential_backward(PythonCall& call, const Array& v, const Array& grad, int squarings,
                           float sign) {
  const Shape shape = shape_of(v);
  require_like(grad, v, shape.dims);
  Array out = like(v);
  float* to = out.mutable_data();
  run(call, [&, a = v.data(), g = grad.data()] {
    kernels::exponential_backward(a, g, to, shape, squarings, sign);
  });
  return out;
}

// The loss and its two gradients.
template <class Loss>
py::tuple pair_loss(PythonCall& call, const Array& a, const Array& b, const Loss& loss) {
  const Shape shape = shape_of(a);
  require_like(a, a, 1);
  require_like(b, a, 1);
  Array grad_a = like(a), grad_b = like(a);
  float *to_a = grad_a.mutable_data(), *to_b = grad_b.mutable_data();
  const double value =
      run(call, [&, x = a.data(), y = b.data()] { return loss(x, y, to_a, to_b, shape); });
  return py::make_tuple(value, grad_a, grad_b);
}

}  // namespace

void bind_kernels(py::module_& m) {
  m.def("warp", &warp);
  m.def("warp_backward", &warp_backward);
  m.def("exponential", &exponential);
  m.def("exponential_backward", &exponential_backward);
  m.def("lncc", [](PythonCall& call, const Array& a, const Array& b, int window) {
    return pair_loss(call, a, b, [=](auto... x) { return kernels::lncc(x..., window); });
  });
  m.def("ncc", [](PythonCall& call, const Array& a, const Array& b) {
    return pair_loss(call, a, b, [](auto... x) { return kernels::ncc(x...); });
  });
  m.def("bending", [](PythonCall& call, const Array& u, const std::array<double, 3>& spacing_mm) {
    const Shape shape = shape_of(u);
    require_like(u, u, shape.dims);
    Array grad = like(u);
    float* to = grad.mutable_data();
    const double value =
        run(call, [&, a = u.data()] { return kernels::bending_energy(a, to, shape, spacing_mm); });
    return py::make_tuple(value, grad);
  });
}

}  // namespace aladdin::python
