// The paper's U-Net F (Fig. 3a): atlas and image, stacked as two channels, to a stationary velocity in
// voxels. 3x3x3 convolutions, no normalisation layers. With width 16 and depth 4 (c_l = 16 * 2^l):
//
//   down 0      2 -> c_0                                                          ReLU
//   down l      c_{l-1} -> c_l stride 2, then two (one at the deepest) c_l -> c_l     ReLU, residual sums
//   up l        transposed 2x2x2 stride 2 -> c_l, joined with down l, -> c_{l-1} (deepest: c_l), twice
//                                                       LeakyReLU(0.01), residual on the last; none at l = 1
//   up 0        transposed 2x2x2 stride 2 c_0 -> c_0, c_0 -> dims                      none
//
// With velocity_scale 2, up 0 has no transposed convolution: the velocity lives on every second voxel.
// Sizes need not divide by 2^depth: the input is padded by its border and the output cut.
//
// Deviations from the published code, deliberate; `published` undoes them:
//
//   the flow layer starts near zero, so that training starts at the identity;
//   both residual sums of down 1 add the layer before, not the level's first;
//   up l comes before down l where they are joined (the published weights have it behind);
//   the last layer gives the velocity. The published one gives a flow f in [-1, 1] grid units
//   (align_corners), slowest axis first, that pulls the atlas to the image; `published` turns it into
//
//     v_c = -(size_c - 1) / 2 * f_{dims-1-c},   c = 0 along x, sizes of the velocity's grid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aladdin/kernels/field.h"

namespace aladdin {

struct UnetOptions {
  int dims = 3;            // 2 or 3
  int inputs = 2;          // channels: atlas and image
  int width = 16;          // channels at full resolution
  int depth = 4;           // times that the resolution is halved
  int velocity_scale = 1;  // 1: velocity at full resolution, 2: at half
  bool published = false;  // as the published code, see above

  void validate() const;
  bool operator==(const UnetOptions&) const = default;
};

// The rule inside scaling and squaring of this network's velocity: clamp, or the published zero.
kernels::Border border_of(const UnetOptions& options);

// One convolution: weight (out, in, 3, 3, 3) or, transposed, (in, out, 2, 2, 2), and its bias.
struct UnetLayer {
  std::string name;  // "down2.1", "up0.flow", …
  int level = 0;     // of the U: 0 is the top
  int in = 0, out = 0;
  bool transposed = false;

  std::vector<std::int64_t> weight_size(int dims) const;
};

// In the order in which they run.
std::vector<UnetLayer> unet_layers(const UnetOptions& options);

// One tensor of the network, as it is stored and trained: weight, bias of layer 0, weight, bias of
// layer 1, …
struct UnetParameter {
  std::string name;  // "down2.1.weight", "up0.flow.bias", …
  std::vector<std::int64_t> size;

  std::int64_t values() const;
};
std::vector<UnetParameter> unet_parameters(const UnetOptions& options);

// Xavier-normal weights, zero biases, the flow layer a thousandth of that; from our own generator.
std::vector<std::vector<float>> initial_parameters(const UnetOptions& options, std::uint64_t seed);

}  // namespace aladdin
