#include "aladdin/method/flow.h"

#include "aladdin/method/inverse_field.h"
#include "aladdin/method/pyramid.h"
#include "aladdin/ops/exponential.h"

namespace aladdin {

Flow::Flow(const NetworkConfig& config)
    : kind_(config.flow),
      scale_(config.velocity_scale),
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
  switch (kind_) {
    case FlowKind::velocity:
      return ops::exponential(velocity, squarings_, 1.0, border_);
    case FlowKind::image:
      return velocity;
    case FlowKind::atlas:
      break;
  }
  return inverse_field(velocity);
}

at::Tensor Flow::to_subject(const at::Tensor& velocity, at::IntArrayRef image_sizes) const {
  // An inverse is taken on the grid where it is used: refined, it would be less of one.
  if (kind_ == FlowKind::atlas) return inverse_field(expanded(velocity, image_sizes));
  return expanded(to_subject_coarse(velocity), image_sizes);
}

Fields Flow::operator()(const at::Tensor& velocity, at::IntArrayRef image_sizes) const {
  Fields out;
  out.velocity = velocity;
  if (kind_ != FlowKind::atlas) {
    out.to_subject_coarse = to_subject_coarse(velocity);
    out.to_subject = expanded(out.to_subject_coarse, image_sizes);
  }
  if (kind_ != FlowKind::image) {
    out.to_atlas_coarse =
        kind_ == FlowKind::atlas ? velocity : ops::exponential(velocity, squarings_, -1.0, border_);
    out.to_atlas = expanded(out.to_atlas_coarse, image_sizes);
  }
  return out;
}

Fields Flow::complete(Fields fields) const {
  if (!fields.to_subject.defined()) fields.to_subject = inverse_field(fields.to_atlas);
  if (!fields.to_atlas.defined()) fields.to_atlas = inverse_field(fields.to_subject);
  return fields;
}

}  // namespace aladdin
