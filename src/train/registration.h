// The registration of images to the atlas by the network, coarse to fine (config.h):
//
//   v <- v + F(atlas, image o exp(v))   on the grids coarsened by passes[0], passes[1], …, then
//   v <- v - centre,  Phi_{0,1} = exp(v) pulls the image to the atlas, Phi_{1,0} = exp(-v) the atlas
//   to the image.
//
// A network of the published kind (network/unet_layers.h) has its flow turned into our velocity, and the
// zero rule inside exp; images are warped under the clamp rule all the same, as in its training.
//
// No gradient flows through the image that a later pass looks at: each pass is trained to finish what
// is left. The same in plain C++, without Torch: network/registrar.h.
#pragma once

#include "aladdin/config/config.h"
#include "aladdin/ops/unet.h"

namespace aladdin {

UnetOptions unet_options(const NetworkConfig& config, int dims);

// In voxels of their grids. `stage` is the coarsening of the grid of the images.
struct Fields {
  at::Tensor velocity;                            // on the grid stage * velocity_scale
  at::Tensor to_subject_coarse, to_atlas_coarse;  // exp(v) - id, exp(-v) - id there
  at::Tensor to_subject, to_atlas;                // on the grid of the images
};

class Registration {
 public:
  Registration(const NetworkConfig& config, Unet network);

  const Unet& network() const { return network_; }
  const NetworkConfig& config() const { return config_; }
  // Subtracted from every velocity: (1, dims, …) on the velocity grid of stage 1; undefined: none.
  at::Tensor centre;

  // atlas (1, 1, …), images (n, 1, …), both on the full grid; runs the passes of coarsening >= stage.
  at::Tensor velocity(const at::Tensor& atlas, const at::Tensor& images, int stage) const;
  Fields integrate(const at::Tensor& velocity, at::IntArrayRef image_sizes) const;
  // exp(v) - id on the velocity's own grid.
  at::Tensor to_subject_coarse(const at::Tensor& velocity) const;

 private:
  at::Tensor expanded(const at::Tensor& displacement, at::IntArrayRef image_sizes) const;

  NetworkConfig config_;
  Unet network_;
};

}  // namespace aladdin
