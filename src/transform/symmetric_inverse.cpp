#include "aladdin/transform/symmetric_inverse.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "aladdin/core/parallel.h"
#include "aladdin/transform/sample.h"

namespace aladdin {
namespace {

constexpr std::int64_t kGrain = 1 << 14;
constexpr float kBeta1 = 0.9F, kBeta2 = 0.99F;  // Adam's; a short run needs the shorter memory

Vec3 point_of(const Affine& to_point, const Size3& size, std::int64_t v) {
  return to_point({static_cast<double>(v % size[0]), static_cast<double>(v / size[0] % size[1]),
                   static_cast<double>(v / (size[0] * size[1]))});
}

Vec3 vector_of(const VectorImage& field, std::int64_t v) {
  Vec3 value{0, 0, 0};
  for (int c = 0; c < field.grid.dims; ++c) value[c] = field.component(c)[v];
  return value;
}

class Problem {
 public:
  Problem(const VectorImage& u, const Grid& target)
      : u_(u),
        target_(target),
        u_points_(to_points(u.grid)),
        target_points_(to_points(target)),
        u_index_(inverse(u_points_)),
        target_index_(inverse(target_points_)),
        u_volume_(std::abs(determinant(u_points_.matrix))),
        target_volume_(std::abs(determinant(target_points_.matrix))) {
    sort_into_slabs();
  }

  void gradient(const VectorImage& w, VectorImage& grad) const {
    parallel_ranges(target_.voxels(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t v = begin; v < end; ++v) add_first_term(w, v, grad);
    });
    // A source voxel writes into its slab of the target and the next one: slabs of one parity never
    // meet, so each parity runs in parallel and the sums have a fixed order.
    const auto slabs = static_cast<std::int64_t>(slab_begin_.size()) - 1;
    for (int parity = 0; parity < 2; ++parity)
      parallel_for((slabs - parity + 1) / 2, [&](std::int64_t s) {
        const std::int64_t slab = 2 * s + parity;
        for (std::int64_t e = slab_begin_[slab]; e < slab_begin_[slab + 1]; ++e)
          add_second_term(w, sources_[e], grad);
      });
  }

 private:
  // Where Phi takes voxel v of the field, as an index of the target.
  Vec3 landing(std::int64_t v) const {
    Vec3 point = point_of(u_points_, u_.grid.size, v);
    const Vec3 u = vector_of(u_, v);
    for (int axis = 0; axis < 3; ++axis) point[axis] += u[axis];
    return target_index_(point);
  }

  void sort_into_slabs() {
    const int slow = target_.dims - 1;
    const std::int64_t stride = slow == 2 ? target_.size[0] * target_.size[1] : target_.size[0];
    std::vector<std::int64_t> slab(static_cast<std::size_t>(u_.grid.voxels()), -1);
    slab_begin_.assign(static_cast<std::size_t>(target_.size[slow]) + 1, 0);
    for (std::int64_t v = 0; v < u_.grid.voxels(); ++v) {
      const Vec3 index = landing(v);
      if (!inside_buffer(target_.size, index)) continue;
      slab[v] = cell_of(target_.size, index).at / stride;
      ++slab_begin_[slab[v] + 1];
    }
    for (std::size_t s = 1; s < slab_begin_.size(); ++s) slab_begin_[s] += slab_begin_[s - 1];
    auto next = slab_begin_;
    sources_.resize(static_cast<std::size_t>(slab_begin_.back()));
    for (std::int64_t v = 0; v < u_.grid.voxels(); ++v)
      if (slab[v] >= 0) sources_[next[slab[v]]++] = v;
  }

  void add_first_term(const VectorImage& w, std::int64_t v, VectorImage& grad) const {
    Vec3 point = point_of(target_points_, target_.size, v), r = vector_of(w, v);
    for (int axis = 0; axis < 3; ++axis) point[axis] += r[axis];
    Mat3 du;  // along the field's index axes
    const Vec3 u = vector_with_jacobian(u_, cell_of(u_.grid.size, u_index_(point)), du);
    for (int axis = 0; axis < 3; ++axis) r[axis] += u[axis];
    Vec3 along{0, 0, 0};  // du^T r, then turned into mm
    for (int axis = 0; axis < 3; ++axis)
      for (int c = 0; c < 3; ++c) along[axis] += du[c][axis] * r[c];
    for (int c = 0; c < target_.dims; ++c) {
      double g = r[c];
      for (int axis = 0; axis < 3; ++axis) g += u_index_.matrix[axis][c] * along[axis];
      grad.component(c)[v] = static_cast<float>(2 * target_volume_ * g);
    }
  }

  void add_second_term(const VectorImage& w, std::int64_t v, VectorImage& grad) const {
    const Cell cell = cell_of(target_.size, landing(v));
    const Vec3 u = vector_of(u_, v), back = vector_at(w, cell);
    for_each_corner(cell, [&](std::int64_t at, double weight) {
      for (int c = 0; c < target_.dims; ++c)
        grad.component(c)[at] += static_cast<float>(2 * u_volume_ * weight * (u[c] + back[c]));
    });
  }

  const VectorImage& u_;
  const Grid& target_;
  Affine u_points_, target_points_, u_index_, target_index_;
  double u_volume_, target_volume_;
  std::vector<std::int64_t> sources_;     // voxels of the field, sorted by the slab they land in
  std::vector<std::int64_t> slab_begin_;  // of each slab in sources_
};

// One step of Adam on all values; `step` in mm, bias already corrected in it.
void adam(VectorImage& w, const VectorImage& grad, std::vector<float>& mean,
          std::vector<float>& square, float step, float square_bias) {
  constexpr float kEpsilon = 1e-12F;
  parallel_ranges(static_cast<std::int64_t>(w.values.size()), kGrain,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t i = begin; i < end; ++i) {
                      const float g = grad.values[i];
                      mean[i] = kBeta1 * mean[i] + (1 - kBeta1) * g;
                      square[i] = kBeta2 * square[i] + (1 - kBeta2) * g * g;
                      w.values[i] -=
                          step * mean[i] / (std::sqrt(square[i] / square_bias) + kEpsilon);
                    }
                  });
}

}  // namespace

void refine_symmetrically(const Displacement& displacement, Displacement& inverse_of_it) {
  constexpr int kIterations = 60;
  constexpr double kStep_vox = 0.02;
  VectorImage& w = inverse_of_it.vectors;
  const Grid target = w.grid;
  const Problem problem(displacement.vectors, target);
  const double voxel_mm =
      std::pow(std::abs(determinant(target.index_to_point())), 1.0 / target.dims);
  VectorImage grad(target);
  std::vector<float> mean(w.values.size(), 0.0F), square(w.values.size(), 0.0F);
  for (int k = 0; k < kIterations; ++k) {
    problem.gradient(w, grad);
    const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * k / kIterations));
    const double step = kStep_vox * voxel_mm * cosine / (1 - std::pow(kBeta1, k + 1));
    adam(w, grad, mean, square, static_cast<float>(step),
         static_cast<float>(1 - std::pow(kBeta2, k + 1)));
  }
}

}  // namespace aladdin
