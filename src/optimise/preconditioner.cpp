#include "aladdin/optimise/preconditioner.h"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>

#include "aladdin/core/parallel.h"

namespace aladdin {
namespace {

std::mutex& planner() {  // FFTW's planner is the one part of it that is not safe in several threads
  static std::mutex mutex;
  return mutex;
}

}  // namespace

struct Preconditioner::Plans {
  fftwf_plan there = nullptr, back = nullptr;

  explicit Plans(const kernels::Shape& s) {
    const std::array<int, 3> all{int(s.d), int(s.h), int(s.w)};
    const int* sizes = all.data() + (3 - s.dims);
    const std::array<fftw_r2r_kind, 3> forward{FFTW_REDFT10, FFTW_REDFT10, FFTW_REDFT10},
        backward{FFTW_REDFT01, FFTW_REDFT01, FFTW_REDFT01};
    std::vector<float> trial(static_cast<std::size_t>(s.voxels()));
    const std::scoped_lock lock(planner());
    // FFTW_ESTIMATE: the same plan on every run, so the same bits.
    constexpr unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;
    there = fftwf_plan_r2r(s.dims, sizes, trial.data(), trial.data(), forward.data(), flags);
    back = fftwf_plan_r2r(s.dims, sizes, trial.data(), trial.data(), backward.data(), flags);
  }
  ~Plans() {
    const std::scoped_lock lock(planner());
    fftwf_destroy_plan(there);
    fftwf_destroy_plan(back);
  }
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;
};

Preconditioner::Preconditioner(const kernels::Shape& shape, const std::array<double, 3>& spacing,
                               const Options& options)
    : shape_(shape), options_(options) {
  const std::array<std::int64_t, 3> n{shape.w, shape.h, shape.d};
  const auto voxels = double(shape.voxels());
  norms_[0] = voxels;
  for (int i = 0; i < 3; ++i)
    norms_[i + 1] = voxels * (double(n[i]) * double(n[i]) - 1) / 12;  // sum of (x - centre)^2
  if (options.affine_only) return;
  plans_ = std::make_unique<Plans>(shape);
  std::array<std::vector<double>, 3> along;
  double scale = 1;
  for (int i = 0; i < 3; ++i) {
    if (i < shape.dims) scale *= 2 * double(n[i]);
    for (std::int64_t k = 0; k < n[i]; ++k)
      along[i].push_back(i < shape.dims
                             ? (2 - 2 * std::cos(std::numbers::pi * double(k) / double(n[i]))) /
                                   (spacing[i] * spacing[i])
                             : 0);
  }
  for (int c = 0; c < shape.dims; ++c) {
    const double weight = 2 * options.lambda * spacing[c] * spacing[c] / voxels;
    auto& out = spectrum_.emplace_back();
    out.reserve(static_cast<std::size_t>(shape.voxels()));
    for (std::int64_t k = 0; k < n[2]; ++k)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < n[0]; ++i) {
          const double l = along[0][i] + along[1][j] + along[2][k];
          out.push_back(
              float(1 / (scale * (options.kappa + weight * (options.bending ? l * l : l)))));
        }
  }
}

Preconditioner::~Preconditioner() = default;

void Preconditioner::take_affine(const float* f, std::array<double, 4>& of) const {
  const auto& s = shape_;
  of = {};
  for (std::int64_t k = 0; k < s.d; ++k)
    for (std::int64_t j = 0; j < s.h; ++j) {
      double sum = 0, by_x = 0;
      for (std::int64_t i = 0; i < s.w; ++i, ++f) {
        sum += *f;
        by_x += *f * (double(i) - 0.5 * double(s.w - 1));
      }
      of[0] += sum;
      of[1] += by_x;
      of[2] += sum * (double(j) - 0.5 * double(s.h - 1));
      of[3] += sum * (double(k) - 0.5 * double(s.d - 1));
    }
  for (int i = 0; i < 4; ++i) of[i] = norms_[i] > 0 ? of[i] / norms_[i] : 0;
}

void Preconditioner::add_affine(const std::array<double, 4>& of, double weight, float* f) const {
  const auto& s = shape_;
  for (std::int64_t k = 0; k < s.d; ++k)
    for (std::int64_t j = 0; j < s.h; ++j) {
      const double row = of[0] + of[2] * (double(j) - 0.5 * double(s.h - 1)) +
                         of[3] * (double(k) - 0.5 * double(s.d - 1));
      for (std::int64_t i = 0; i < s.w; ++i, ++f)
        *f += float(weight * (row + of[1] * (double(i) - 0.5 * double(s.w - 1))));
    }
}

void Preconditioner::apply(float* field) const {
  const std::int64_t voxels = shape_.voxels();
  parallel_for(shape_.dims, [&](std::int64_t c) {
    float* f = field + c * voxels;
    std::array<double, 4> affine, more;
    take_affine(f, affine);
    if (options_.affine_only) {
      std::fill_n(f, voxels, 0.0F);
    } else {
      add_affine(affine, -1, f);
      fftwf_execute_r2r(plans_->there, f, f);
      const float* by = spectrum_[c].data();
      for (std::int64_t i = 0; i < voxels; ++i) f[i] *= by[i];
      fftwf_execute_r2r(plans_->back, f, f);
      take_affine(f, more);
      add_affine(more, -1, f);
    }
    add_affine(affine, 1 / options_.kappa, f);
  });
}

}  // namespace aladdin
