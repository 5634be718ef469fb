#include "aladdin/method/inverse_field.h"

#include "aladdin/ops/tensor.h"
#include "aladdin/transform/inverse.h"

namespace aladdin {
namespace {

// A grid of unit voxels at the origin: there mm are voxels.
Grid unit_grid(const at::Tensor& field) {
  Grid grid;
  grid.dims = static_cast<int>(field.size(1));
  const kernels::Shape shape = ops::shape_of(field);
  grid.size = {shape.w, shape.h, shape.d};
  return grid;
}

}  // namespace

at::Tensor inverse_field(const at::Tensor& displacement) {
  const at::NoGradGuard no_grad;
  const at::Tensor fields = displacement.detach().cpu().contiguous();
  at::Tensor out = at::empty_like(fields);
  const Grid grid = unit_grid(fields);
  for (int64_t n = 0; n < fields.size(0); ++n) {
    const at::Tensor one = fields[n];
    Displacement field(grid);
    std::copy_n(one.data_ptr<float>(), one.numel(), field.vectors.values.begin());
    const Displacement back = solve_inverse(field, grid);
    std::copy_n(back.vectors.values.begin(), one.numel(), out[n].data_ptr<float>());
  }
  return out.to(displacement.device());
}

}  // namespace aladdin
