#include "aladdin/train/memory.h"

#include <cmath>

#include "aladdin/method/network_passes.h"

namespace aladdin {

std::uint64_t predict_memory(const Config& config, const Grid& padded, std::size_t subjects,
                             std::uint64_t dataset_bytes, int processes) {
  const NetworkConfig& n = config.network;
  const double voxels = double(padded.voxels()), batch = config.train.batch;
  const double own = std::ceil(batch / processes);
  const UnetOptions options = unet_options(n, padded.dims);
  // The backward pass needs all activations; oneDNN rounds channels up to 16.
  double floats = 0, weights = 0;
  for (const auto& layer : unet_layers(options)) {
    const double share = std::pow(2.0, -padded.dims * layer.level);
    floats += share * 16 * std::ceil(layer.out / 16.0) * (layer.transposed ? 2 : 1.7);
    weights += double(layer.in) * layer.out * std::pow(layer.transposed ? 2 : 3, padded.dims);
  }
  double passes = 0;  // every pass keeps its own activations
  for (const int r : n.passes) passes += std::pow(r, -padded.dims);
  floats *= passes;
  // Without a network every subject has its velocity, the optimiser's moments and the velocity of the next stage.
  double velocities =
      double(subjects) * padded.dims * voxels * std::pow(n.velocity_scale, -padded.dims);
  if (config.train.learns()) {
    // What is taught; an update of the atlas keeps 2 GiB.
    const double taught = config.train.is_taught() ? 2 * velocities : 0;
    velocities = taught + std::min(velocities / processes, double(1 << 29));
  } else {
    floats = weights = 0;
    velocities *= 6;
  }
  // Fields, warped images, their gradients and the windows of the similarity.
  floats += padded.dims * 8 + row_of(config.loss.similarity).floats;
  const double pairs = config.loss.gamma2 > 0 ? batch - 1 : 1;
  floats += (pairs - 1) * padded.dims * 4;
  double step = 4 * voxels * own * floats;
  // Images and fields of the items of other processes.
  step += 4 * voxels * (batch - own) * (2 + padded.dims);
  const double state = 4 * (weights * 7 + velocities);
  constexpr double kLibraries = 350e6;
  return static_cast<std::uint64_t>(step + state + kLibraries) + dataset_bytes;
}

}  // namespace aladdin
