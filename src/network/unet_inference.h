// The network forward only: weights are packed into oneDNN's layouts once and kept, activations are
// freed as soon as nothing needs them. The same bits as UnetTape.
#pragma once

#include <memory>

#include "aladdin/network/unet_layers.h"

namespace aladdin {

class UnetInference {
 public:
  // Throws unless the parameters have the sizes of unet_parameters(options).
  UnetInference(const UnetOptions& options, std::vector<std::vector<float>> parameters);
  ~UnetInference();
  UnetInference(UnetInference&&) noexcept;
  UnetInference& operator=(UnetInference&&) noexcept;

  // (n, inputs, [d,] h, w) of any size to the velocity (n, dims, ceil(size / velocity_scale)), both
  // row-major, in voxels of the latter. Several threads may call it at once.
  void velocity(const float* input, const std::vector<std::int64_t>& size, float* out);
  const UnetOptions& options() const;

 private:
  class Layers;
  std::unique_ptr<Layers> layers_;
};

}  // namespace aladdin
