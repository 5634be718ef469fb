#include "aladdin/ops/similarity.h"

#include "aladdin/core/error.h"
#include "aladdin/kernels/similarity.h"
#include "aladdin/ops/plain.h"
#include "aladdin/ops/scalar_loss.h"

namespace aladdin::ops {
namespace {

void require_images(const at::Tensor& a, const at::Tensor& b, const char* operation) {
  require_same_grid(a, b, operation);
  if (a.size(1) != 1 || b.size(1) != 1)
    fail("{}: images have {} and {} channels, expected one", operation, a.size(1), b.size(1));
}

// fast and reference take (a, b, grad_a, grad_b, shape, more…).
template <class Fast, class Reference, class... More>
at::Tensor run(const at::Tensor& a, const at::Tensor& b, Fast fast, Reference reference,
               More... more) {
  return scalar_loss({a, b}, [&](const auto& in, const auto& grads) {
    double loss = 0;
    with_type(a, [&]<class T>(T) {
      const auto grad = [&](int i) {
        return grads[i].defined() ? grads[i].template data_ptr<T>() : nullptr;
      };
      const auto call = [&](auto kernel) {
        loss = kernel(in[0].template data_ptr<T>(), in[1].template data_ptr<T>(), grad(0), grad(1),
                      shape_of(a), more...);
      };
      if constexpr (std::is_same_v<T, float>)
        call(fast);
      else
        call(reference);
    });
    return loss;
  });
}

}  // namespace

at::Tensor mse(const at::Tensor& a, const at::Tensor& b) {
  require_images(a, b, "mse");
  if (!has_kernels(a)) return plain::mse(a, b);
  return run(a, b, kernels::mse, kernels::reference::mse<double>);
}

at::Tensor ncc(const at::Tensor& a, const at::Tensor& b) {
  require_images(a, b, "ncc");
  if (!has_kernels(a)) return plain::ncc(a, b);
  return run(a, b, kernels::ncc, kernels::reference::ncc<double>);
}

at::Tensor lncc(const at::Tensor& a, const at::Tensor& b, int window) {
  require_images(a, b, "lncc");
  if (window < 1 || window % 2 == 0)
    fail("lncc: a window of {} voxels, expected an odd number", window);
  if (!has_kernels(a)) return plain::lncc(a, b, window);
  return run(a, b, kernels::lncc, kernels::reference::lncc<double>, window);
}

}  // namespace aladdin::ops
