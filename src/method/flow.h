// From a stationary velocity v to the maps (Sec. 3.1 of the paper), by scaling and squaring:
//
//   Phi_{0,1} = exp(v) pulls the image to the atlas, Phi_{1,0} = exp(-v) pulls the atlas to the image.
//
// The velocity may live on every second voxel; the maps are then refined onto the grid of the images.
//
// Other methods (network.flow) predict a displacement instead: that of Phi_{0,1} (`image`) or of Phi_{1,0}
// (`atlas`). Its inverse is computed numerically where it is needed, without a gradient.
#pragma once

#include <functional>

#include "aladdin/config/config.h"
#include "aladdin/ops/tensor.h"

namespace aladdin {

// In voxels of their grids. If a displacement was predicted, the other direction is undefined until Flow::complete
// computes it.
struct Fields {
  at::Tensor velocity;  // or the displacement that was predicted
  at::Tensor to_subject_coarse,
      to_atlas_coarse;              // exp(v) - id, exp(-v) - id on the velocity's grid
  at::Tensor to_subject, to_atlas;  // on the grid of the images
};

// The velocity of a subject on the velocity grid of the full resolution.
using Velocities = std::function<at::Tensor(std::size_t subject)>;

class Flow {
 public:
  explicit Flow(const NetworkConfig& config);

  int velocity_scale() const { return scale_; }
  bool is_velocity() const { return kind_ == FlowKind::velocity; }
  // The velocity's sizes for images of these.
  std::vector<int64_t> velocity_sizes(at::IntArrayRef image_sizes) const;
  Fields operator()(const at::Tensor& velocity, at::IntArrayRef image_sizes) const;
  // With both directions on the grid of the images, one subject at a time.
  Fields complete(Fields fields) const;
  // exp(v) - id on the velocity's own grid, and on that of the images.
  at::Tensor to_subject_coarse(const at::Tensor& velocity) const;
  at::Tensor to_subject(const at::Tensor& velocity, at::IntArrayRef image_sizes) const;
  // A displacement on the velocity's grid, on that of the images.
  at::Tensor expanded(const at::Tensor& displacement, at::IntArrayRef image_sizes) const;

 private:
  FlowKind kind_;
  int scale_, squarings_;
  kernels::Border border_;
};

}  // namespace aladdin
