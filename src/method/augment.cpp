#include "aladdin/method/augment.h"

#include <cmath>
#include <numbers>

#include "aladdin/core/linear.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/profile.h"
#include "aladdin/ops/warp.h"

namespace aladdin {
namespace {

Mat3 random_matrix(int dims, const AugmentOptions& o, Rng& rng) {
  Mat3 generator{};  // exp of it: a rotation times a scaling, to first order
  const double radians = o.strength * o.rotation_deg * std::numbers::pi / 180;
  for (int i = 0; i < dims; ++i) generator[i][i] = o.strength * o.log_scale * rng.normal();
  for (int i = 0; i < dims; ++i)
    for (int j = i + 1; j < dims; ++j) {
      const double angle = radians * rng.normal();
      generator[i][j] = angle;
      generator[j][i] = -angle;
    }
  return matrix_exponential(generator);
}

// Drawn in this order.
struct Change {
  Change(int dims, const AugmentOptions& o, Rng& rng) : matrix(random_matrix(dims, o, rng)) {
    if (dims == 2) matrix[2] = {0, 0, 1};
    for (int a = 0; a < dims; ++a) shift_mm[a] = o.strength * o.shift_mm * rng.normal();
    power = static_cast<float>(std::exp(o.strength * o.log_power * rng.normal()));
  }

  Mat3 matrix;
  Vec3 shift_mm{0, 0, 0};
  float power = 1;
};

// The displacement in voxels of x -> c + M (x - c) + t, M and t in mm along the grid's own axes.
void fill(float* u, const kernels::Shape& shape, const std::array<double, 3>& spacing,
          const Mat3& matrix, const Vec3& shift_mm) {
  const Vec3 centre{0.5 * double(shape.w - 1), 0.5 * double(shape.h - 1),
                    0.5 * double(shape.d - 1)};
  parallel_ranges(shape.d * shape.h, 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      for (std::int64_t i = 0; i < shape.w; ++i) {
        const Vec3 index{double(i), double(row % shape.h), double(row / shape.h)};
        Vec3 mm;
        for (int a = 0; a < 3; ++a) mm[a] = (index[a] - centre[a]) * spacing[a];
        const Vec3 moved = matrix * mm + shift_mm;
        for (int a = 0; a < shape.dims; ++a)
          u[a * shape.voxels() + row * shape.w + i] =
              static_cast<float>((moved[a] - mm[a]) / spacing[a]);
      }
  });
}

}  // namespace

Batch augment(const Batch& batch, const std::array<double, 3>& spacing_mm,
              const AugmentOptions& options, Rng& rng, std::size_t before) {
  if (options.strength <= 0) return batch;
  const profile::Span span("augmentation");
  const at::NoGradGuard no_grad;
  const int dims = int(batch.images.dim()) - 2;
  std::vector<int64_t> sizes = batch.images.sizes().vec();
  sizes[1] = dims;
  at::Tensor u = at::empty(sizes, at::kFloat);
  const kernels::Shape shape = ops::shape_of(u);
  std::vector<float> powers;
  for (std::size_t k = 0; k < before; ++k) Change(dims, options, rng);
  for (int64_t n = 0; n < u.size(0); ++n) {
    const Change change(dims, options, rng);
    fill(u.data_ptr<float>() + n * dims * shape.voxels(), shape, spacing_mm, change.matrix,
         change.shift_mm);
    powers.push_back(change.power);
  }
  u = u.to(batch.images.device());
  std::vector<int64_t> each(batch.images.dim(), 1);
  each[0] = u.size(0);
  const at::Tensor power = at::tensor(powers).to(batch.images.device()).view(each);
  Batch out;
  out.images = ops::warp(batch.images, u).clamp_min(0).pow(power);
  if (batch.labels.defined()) out.labels = ops::warp(batch.labels, u);
  if (batch.masks.defined()) out.masks = ops::warp(batch.masks, u);
  return out;
}

}  // namespace aladdin
