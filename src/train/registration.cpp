#include "aladdin/train/registration.h"

#include "aladdin/ops/exponential.h"
#include "aladdin/ops/warp.h"
#include "aladdin/train/pyramid.h"

namespace aladdin {

UnetOptions unet_options(const NetworkConfig& config, int dims) {
  UnetOptions out;
  out.dims = dims;
  out.width = config.width;
  out.depth = config.depth;
  out.velocity_scale = config.velocity_scale;
  out.published = config.published;
  return out;
}

Registration::Registration(const NetworkConfig& config, Unet network)
    : config_(config), network_(std::move(network)) {}

at::Tensor Registration::expanded(const at::Tensor& displacement,
                                  at::IntArrayRef image_sizes) const {
  return config_.velocity_scale == 1 ? displacement : refine(displacement, image_sizes);
}

at::Tensor Registration::velocity(const at::Tensor& atlas, const at::Tensor& images,
                                  int stage) const {
  at::Tensor v;
  int before = 0;
  for (const int r : config_.passes) {
    if (r < stage) break;
    const at::Tensor fixed = reduce(atlas, r), image = reduce(images, r);
    std::vector<int64_t> shape = image.sizes().vec();
    at::Tensor moved = image;
    if (v.defined()) {
      v = refine(v, before * config_.velocity_scale, r * config_.velocity_scale, images.sizes());
      const at::NoGradGuard frozen;
      moved = ops::warp(image, expanded(to_subject_coarse(v.detach()), image.sizes()));
    }
    shape[0] = image.size(0);
    const at::Tensor step = network_.velocity(at::cat({fixed.expand(shape), moved}, 1));
    v = v.defined() ? v + step : step;
    before = r;
  }
  if (centre.defined()) v = v - (stage == 1 ? centre : reduce(centre, stage) * (1.0 / stage));
  return v;
}

at::Tensor Registration::to_subject_coarse(const at::Tensor& velocity) const {
  return ops::exponential(velocity, config_.squarings, 1.0, border_of(network_.options()));
}

Fields Registration::integrate(const at::Tensor& velocity, at::IntArrayRef image_sizes) const {
  Fields out;
  out.velocity = velocity;
  out.to_subject_coarse = to_subject_coarse(velocity);
  out.to_atlas_coarse =
      ops::exponential(velocity, config_.squarings, -1.0, border_of(network_.options()));
  out.to_subject = expanded(out.to_subject_coarse, image_sizes);
  out.to_atlas = expanded(out.to_atlas_coarse, image_sizes);
  return out;
}

}  // namespace aladdin
