#include "aladdin/condition/velocity_rows.h"

#include "aladdin/core/parallel.h"
#include "aladdin/kernels/pyramid.h"

namespace aladdin::condition {
namespace {

constexpr std::int64_t kMostValues = 4096;

// Voxels of the velocity grid to mm, and to as few numbers.
std::vector<float> reduced_mm(std::vector<float> v, kernels::Shape shape, const Vec3& spacing) {
  for (int c = 0; c < shape.dims; ++c)
    for (std::int64_t k = 0; k < shape.voxels(); ++k)
      v[c * shape.voxels() + k] *= static_cast<float>(spacing[c]);
  while (static_cast<std::int64_t>(v.size()) > kMostValues) {
    const kernels::Shape half = kernels::half(shape);
    std::vector<float> less(static_cast<std::size_t>(shape.dims * half.voxels()));
    kernels::reduce(v.data(), less.data(), shape, shape.dims);
    v = std::move(less);
    shape = half;
  }
  return v;
}

}  // namespace

Eigen::MatrixXf velocity_rows(const RunSubjects& subjects, const std::vector<std::size_t>& who) {
  const Vec3 spacing = velocity_grid(subjects.model()).spacing;
  std::vector<std::vector<float>> all(who.size());
  parallel_for(static_cast<std::int64_t>(who.size()), [&](std::int64_t i) {
    all[i] = reduced_mm(subjects.velocity(who[i]), subjects.velocity_shape(), spacing);
  });
  Eigen::MatrixXf rows(std::ssize(all), std::ssize(all.front()));
  for (std::size_t i = 0; i < all.size(); ++i)
    rows.row(static_cast<Eigen::Index>(i)) =
        Eigen::Map<const Eigen::RowVectorXf>(all[i].data(), std::ssize(all[i]));
  return rows;
}

}  // namespace aladdin::condition
