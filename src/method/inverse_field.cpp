#include "aladdin/method/inverse_field.h"

#include "aladdin/ops/tensor.h"
#include "aladdin/transform/inverse.h"

namespace aladdin {

at::Tensor inverse_field(const at::Tensor& displacement) {
  const at::NoGradGuard no_grad;
  const at::Tensor fields = displacement.detach().cpu().contiguous();
  at::Tensor out = at::empty_like(fields);
  for (int64_t n = 0; n < fields.size(0); ++n) {
    const float* one = fields[n].data_ptr<float>();
    const auto back = solve_inverse({one, one + fields[n].numel()}, ops::shape_of(fields));
    std::ranges::copy(back, out[n].data_ptr<float>());
  }
  return out.to(displacement.device());
}

}  // namespace aladdin
