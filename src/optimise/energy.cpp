#include "aladdin/optimise/energy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aladdin/core/error.h"
#include "aladdin/kernels/bending.h"
#include "aladdin/kernels/exponential.h"
#include "aladdin/kernels/jacobian.h"
#include "aladdin/kernels/mutual_information.h"
#include "aladdin/kernels/pyramid.h"
#include "aladdin/kernels/similarity.h"
#include "aladdin/kernels/warp.h"
#include "aladdin/optimise/window_variance.h"

namespace aladdin {
namespace {

using Values = std::vector<float>;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Values values_of(const kernels::Shape& s, int channels) {
  return Values(static_cast<std::size_t>(channels * s.voxels()));
}

// mean_x sum_c |grad u_c|^2 of a field in voxels, forward differences, no unit (loss/regularity.h).
double gradient_energy(const float* u, float* grad, const kernels::Shape& s,
                       const std::array<double, 3>& spacing) {
  const std::array<std::int64_t, 3> size{s.w, s.h, s.d}, stride{1, s.w, s.w * s.h};
  std::fill_n(grad, s.dims * s.voxels(), 0.0F);
  double energy = 0;
  for (int axis = 0; axis < s.dims; ++axis) {
    if (size[axis] < 2) continue;
    const double count = double(s.voxels()) / double(size[axis]) * double(size[axis] - 1);
    for (int c = 0; c < s.dims; ++c) {
      const double weight = spacing[c] * spacing[c] / (spacing[axis] * spacing[axis] * count);
      const float* field = u + c * s.voxels();
      float* by = grad + c * s.voxels();
      double sum = 0;
      for (std::int64_t x = 0; x < s.voxels(); ++x) {
        if (x / stride[axis] % size[axis] == size[axis] - 1) continue;
        const float step = field[x + stride[axis]] - field[x];
        sum += double(step) * step;
        by[x + stride[axis]] += float(2 * weight * step);
        by[x] -= float(2 * weight * step);
      }
      energy += weight * sum;
    }
  }
  return energy;
}

}  // namespace

RegistrationEnergy::RegistrationEnergy(const Config& config, const kernels::Shape& full,
                                       const std::array<double, 3>& spacing_mm, ImagePair images)
    : loss_(config.loss),
      scale_(config.network.velocity_scale),
      squarings_(config.network.squarings),
      border_(config.network.published ? kernels::Border::zero : kernels::Border::clamp),
      full_(full),
      coarse_(scale_ == 1 ? full : kernels::half(full)),
      spacing_(spacing_mm),
      images_(std::move(images)),
      u_(values_of(coarse_, full.dims)),
      fine_(values_of(full, full.dims)),
      seen_(values_of(full, 1)),
      grad_u_(values_of(coarse_, full.dims)),
      grad_fine_(values_of(full, full.dims)),
      grad_seen_(values_of(full, 1)),
      det_(values_of(coarse_, 1)),
      more_(values_of(coarse_, full.dims)) {}

std::array<double, 3> RegistrationEnergy::velocity_spacing_mm() const {
  std::array<double, 3> out = spacing_;
  for (double& s : out) s *= scale_;
  return out;
}

double RegistrationEnergy::curvature() const {
  const Values& image = images_.image;
  // mse: 2 |grad I|^2; the others divide by a variance, local or not.
  const Values variance =
      window_variance(image, full_, loss_.similarity == SimilarityKind::lncc ? loss_.window : 0);
  constexpr double kNoise = 3e-3;  // of [0, 1]^2: below it there is nothing to match
  const std::array<std::int64_t, 3> size{full_.w, full_.h, full_.d},
      stride{1, full_.w, full_.w * full_.h};
  double sum = 0;
  for (std::int64_t x = 0; x < full_.voxels(); ++x)
    for (int axis = 0; axis < full_.dims; ++axis) {
      const std::int64_t i = x / stride[axis] % size[axis];
      const float after = image[i + 1 < size[axis] ? x + stride[axis] : x],
                  before = image[i > 0 ? x - stride[axis] : x];
      const double slope = 0.5 * (double(after) - before);
      sum += slope * slope /
             (loss_.similarity == SimilarityKind::mse ? 1 : double(variance[x]) + kNoise);
    }
  // A voxel of the velocity moves all images' voxels around it by velocity_scale voxels.
  const double mean = sum / double(full_.voxels() * full_.dims) * scale_ * scale_;
  return std::max(2 * loss_.sim * mean, 1e-12) / double(coarse_.voxels());
}

bool RegistrationEnergy::knows(SimilarityKind similarity) {
  switch (similarity) {
    case SimilarityKind::mse:
    case SimilarityKind::ncc:
    case SimilarityKind::lncc:
    case SimilarityKind::mi:
      return true;
    default:
      return false;
  }
}

double RegistrationEnergy::similarity(float* grad) {
  const float *seen = seen_.data(), *image = images_.image.data();
  switch (loss_.similarity) {
    case SimilarityKind::mse:
      return kernels::mse(seen, image, grad, nullptr, full_);
    case SimilarityKind::ncc:
      return kernels::ncc(seen, image, grad, nullptr, full_);
    case SimilarityKind::lncc:
      return kernels::lncc(seen, image, grad, nullptr, full_, loss_.window);
    case SimilarityKind::mi:
      return kernels::mutual_information(seen, image, grad, full_, loss_.bins);
    default:
      throw Error(
          fmt::format("the optimiser does not have the similarity '{}'", name_of(loss_.similarity)))
          .hint("take another loss.similarity, or train.refine = 0 for the network alone");
  }
}

double RegistrationEnergy::regularity(const float* v, float* grad_u, float* grad_v) {
  const auto spacing = velocity_spacing_mm();
  if (loss_.regulariser == RegulariserKind::bending)
    return kernels::bending_energy(u_.data(), grad_u, coarse_, spacing);
  if (loss_.regulariser == RegulariserKind::gradient)
    return gradient_energy(u_.data(), grad_u, coarse_, spacing);
  return gradient_energy(v, grad_v, coarse_, spacing);
}

double RegistrationEnergy::volume(float* grad_u) {
  kernels::jacobian_determinant(u_.data(), det_.data(), coarse_);
  const auto n = static_cast<double>(det_.size());
  double sum = 0;
  for (float& det : det_) {
    if (!(det > 0)) return kInfinite;
    const double l = std::log(double(det));
    sum += l * l;
    det = float(loss_.volume * 2 * l / (det * n));
  }
  if (grad_u) {
    kernels::jacobian_determinant_backward(u_.data(), det_.data(), more_.data(), coarse_);
    for (std::size_t i = 0; i < more_.size(); ++i) grad_u[i] += more_[i];
  }
  return sum / n;
}

double RegistrationEnergy::operator()(const float* v, float* grad) {
  kernels::exponential(v, u_.data(), coarse_, squarings_, -1.0F, border_);
  if (scale_ > 1)
    kernels::refine(u_.data(), fine_.data(), full_);
  else
    fine_ = u_;
  kernels::warp(images_.atlas.data(), fine_.data(), seen_.data(), full_, 1, kernels::Border::clamp);
  const Values& mask = images_.mask;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i] <= 0.5F) seen_[i] = images_.image[i];
  double energy = loss_.sim * similarity(grad ? grad_seen_.data() : nullptr);
  std::fill(grad_u_.begin(), grad_u_.end(), 0.0F);
  if (grad && loss_.sim > 0) {
    for (float& g : grad_seen_) g *= float(loss_.sim);
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (mask[i] <= 0.5F) grad_seen_[i] = 0;
    kernels::warp_backward(images_.atlas.data(), fine_.data(), grad_seen_.data(), nullptr,
                           grad_fine_.data(), full_, 1, kernels::Border::clamp);
    if (scale_ > 1)
      kernels::refine_backward(grad_fine_.data(), grad_u_.data(), full_);
    else
      grad_u_ = grad_fine_;
  }
  if (loss_.volume > 0) energy += loss_.volume * volume(grad ? grad_u_.data() : nullptr);
  if (!std::isfinite(energy)) return kInfinite;
  Values by_v;  // of a regulariser of v itself
  if (loss_.lambda > 0) {
    const bool of_v = loss_.regulariser == RegulariserKind::velocity;
    if (of_v) by_v.resize(u_.size());
    energy += loss_.lambda * regularity(v, more_.data(), by_v.data());
    if (!of_v)
      for (std::size_t i = 0; i < more_.size(); ++i) grad_u_[i] += float(loss_.lambda) * more_[i];
  }
  if (!grad) return energy;
  kernels::exponential_backward(v, grad_u_.data(), grad, coarse_, squarings_, -1.0F);
  for (std::size_t i = 0; i < by_v.size(); ++i) grad[i] += float(loss_.lambda) * by_v[i];
  return energy;
}

}  // namespace aladdin
