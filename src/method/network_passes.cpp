#include "aladdin/method/network_passes.h"

#include "aladdin/method/pyramid.h"
#include "aladdin/ops/warp.h"

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

NetworkPasses::NetworkPasses(const NetworkConfig& config, Unet network)
    : config_(config), flow_(config), network_(std::move(network)) {}

NetworkPasses NetworkPasses::with(const std::vector<at::Tensor>& parameters) const {
  return {config_, Unet(network_.options(), parameters)};
}

at::Tensor NetworkPasses::velocity(const at::Tensor& atlas, const at::Tensor& images,
                                   int stage) const {
  at::Tensor v;
  int before = 0;
  for (const int r : config_.passes) {
    if (r < stage) break;
    const at::Tensor fixed = reduce(atlas, r), image = reduce(images, r);
    at::Tensor moved = image;
    if (v.defined()) {
      v = refine(v, before * config_.velocity_scale, r * config_.velocity_scale, images.sizes());
      const at::NoGradGuard frozen;
      moved = ops::warp(image, flow_.to_subject(v.detach(), image.sizes()));
    }
    const at::Tensor step = network_.velocity(at::cat({fixed.expand(image.sizes()), moved}, 1));
    v = v.defined() ? v + step : step;
    before = r;
  }
  return v;
}

at::Tensor NetworkPasses::exchanged(const at::Tensor& atlas, const at::Tensor& images) const {
  return network_.velocity(at::cat({images, atlas.expand(images.sizes())}, 1));
}

}  // namespace aladdin
