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
// Deviations from the published code, deliberate: the flow layer starts near zero, so that training
// starts at the identity; the residual sums of a level add the layer before, not the level's first.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

namespace aladdin {

struct UnetOptions {
  int dims = 3;            // 2 or 3
  int inputs = 2;          // channels: atlas and image
  int width = 16;          // channels at full resolution
  int depth = 4;           // times that the resolution is halved
  int velocity_scale = 1;  // 1: velocity at full resolution, 2: at half

  void validate() const;
  bool operator==(const UnetOptions&) const = default;
};

// One convolution: weight (out, in, 3, 3, 3) or, transposed, (in, out, 2, 2, 2), and its bias.
struct UnetLayer {
  std::string name;  // "down2.1", "up0.flow", …
  int in = 0, out = 0;
  bool transposed = false;
};

// In the order in which they run.
std::vector<UnetLayer> unet_layers(const UnetOptions& options);

class Unet {
 public:
  // Xavier-normal weights, zero biases, the flow layer a thousandth of that; from our own generator.
  Unet(const UnetOptions& options, std::uint64_t seed);
  // Weights from a file: weight and bias of each layer, checked.
  Unet(const UnetOptions& options, std::vector<at::Tensor> parameters);

  // (n, inputs, [d,] h, w) to (n, dims, …), at full or half resolution; differentiable in the input
  // and the parameters. Runs on oneDNN directly on a CPU in float, elsewhere in plain Torch.
  at::Tensor velocity(const at::Tensor& input) const;
  // The same in plain Torch, to test and time against.
  at::Tensor velocity_plain(const at::Tensor& input) const;

  const UnetOptions& options() const { return options_; }
  // weight, bias of layer 0, weight, bias of layer 1, …
  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  std::vector<std::string> parameter_names() const;
  std::int64_t parameter_count() const;

 private:
  UnetOptions options_;
  std::vector<at::Tensor> parameters_;
};

}  // namespace aladdin
