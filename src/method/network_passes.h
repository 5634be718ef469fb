// The registration of images to the atlas by the network, coarse to fine (config.h):
//
//   v <- v + F(atlas, image o exp(v))   on the grids coarsened by passes[0], passes[1], …
//
// A network of the published kind (network/unet_layers.h) has its flow turned into our velocity, and the
// zero rule inside exp; images are warped under the clamp rule all the same, as in its training.
//
// No gradient flows through the image that a later pass looks at: each pass is trained to finish what
// is left. The same in plain C++, without Torch: network/registrar.h.
#pragma once

#include "aladdin/method/flow.h"
#include "aladdin/ops/unet.h"

namespace aladdin {

UnetOptions unet_options(const NetworkConfig& config, int dims);

class NetworkPasses {
 public:
  NetworkPasses(const NetworkConfig& config, Unet network);

  const Unet& network() const { return network_; }
  void set_listener(GradientListener* listener) { network_.set_listener(listener); }
  // The same with other weights.
  NetworkPasses with(const std::vector<at::Tensor>& parameters) const;

  // atlas (1, 1, …), images (n, 1, …), both on the full grid; runs the passes of coarsening >= stage,
  // and ends on the velocity grid of the stage.
  at::Tensor velocity(const at::Tensor& atlas, const at::Tensor& images, int stage) const;

  // What one pass predicts with atlas and images exchanged, on the full grid.
  at::Tensor exchanged(const at::Tensor& atlas, const at::Tensor& images) const;

 private:
  NetworkConfig config_;
  Flow flow_;
  Unet network_;
};

}  // namespace aladdin
