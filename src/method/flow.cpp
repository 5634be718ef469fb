#include "aladdin/method/flow.h"

#include "aladdin/ops/exponential.h"
#include "aladdin/method/pyramid.h"

namespace aladdin {

Flow::Flow(const NetworkConfig& config)
    : scale_(config.velocity_scale),
      squarings_(config.squarings),
      border_(config.published ? kernels::Border::zero : kernels::Border::clamp) {}

std::vector<int64_t> Flow::velocity_sizes(at::IntArrayRef image_sizes) const {
  std::vector<int64_t> out = image_sizes.vec();
  out[1] = image_sizes.size() - 2;
  for (std::size_t d = 2; d < out.size(); ++d) out[d] = (out[d] + scale_ - 1) / scale_;
  return out;
}

at::Tensor Flow::expanded(const at::Tensor& displacement, at::IntArrayRef image_sizes) const {
  return scale_ == 1 ? displacement : refine(displacement, image_sizes);
}

at::Tensor Flow::to_subject_coarse(const at::Tensor& velocity) const {
  return ops::exponential(velocity, squarings_, 1.0, border_);
}

at::Tensor Flow::to_subject(const at::Tensor& velocity, at::IntArrayRef image_sizes) const {
  return expanded(to_subject_coarse(velocity), image_sizes);
}

Fields Flow::operator()(const at::Tensor& velocity, at::IntArrayRef image_sizes) const {
  Fields out;
  out.velocity = velocity;
  out.to_subject_coarse = to_subject_coarse(velocity);
  out.to_atlas_coarse = ops::exponential(velocity, squarings_, -1.0, border_);
  out.to_subject = expanded(out.to_subject_coarse, image_sizes);
  out.to_atlas = expanded(out.to_atlas_coarse, image_sizes);
  return out;
}

}  // namespace aladdin
