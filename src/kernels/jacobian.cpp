#include "aladdin/kernels/jacobian.h"

#include <algorithm>

#include "aladdin/kernels/fast/table.h"
#include "aladdin/kernels/stencils.h"

namespace aladdin::kernels {

void jacobian_determinant(const float* u, float* det, const Shape& s) {
  if (s.w < 2) return reference::jacobian_determinant(u, det, s);
  StencilSlabs(s).run(s.n, [&](std::int64_t n, std::int64_t begin, std::int64_t end, std::int64_t) {
    const Buffer scratch = make_buffer(stencil_scratch(s));
    fast().jacobian(u + n * s.dims * s.voxels(), det + n * s.voxels(), s, begin, end,
                    scratch.get());
  });
}

void jacobian_determinant_backward(const float* u, const float* grad_det, float* grad_u,
                                   const Shape& s) {
  if (s.w < 2) return reference::jacobian_determinant_backward(u, grad_det, grad_u, s);
  std::fill_n(grad_u, s.n * s.dims * s.voxels(), 0.0F);
  StencilSlabs(s).run(s.n, [&](std::int64_t n, std::int64_t begin, std::int64_t end, std::int64_t) {
    const Buffer scratch = make_buffer(stencil_scratch(s));
    const std::int64_t item = n * s.dims * s.voxels();
    fast().jacobian_backward(u + item, grad_det + n * s.voxels(), grad_u + item, s, begin, end,
                             scratch.get());
  });
}

}  // namespace aladdin::kernels
