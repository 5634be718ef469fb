// For the tests: a small model with a blob for an atlas.
#pragma once

#include <cmath>

#include "aladdin/network/model.h"

namespace aladdin::testing {

// A ball, softly bounded, in the middle of the grid but for an offset in voxels along every axis.
inline Image ball(const Grid& grid, double offset = 0) {
  Image image(grid);
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const std::int64_t index[3] = {v % grid.size[0], v / grid.size[0] % grid.size[1],
                                   v / (grid.size[0] * grid.size[1])};
    double squares = 0;
    for (int axis = 0; axis < grid.dims; ++axis) {
      const double from = double(index[axis]) - 0.5 * double(grid.size[axis] - 1) - offset;
      squares += from * from;
    }
    image.values[v] = static_cast<float>(1 / (1 + std::exp(std::sqrt(squares) - 5)));
  }
  return image;
}

inline Model make_model(const UnetOptions& network, const Size3& visible, std::uint64_t seed = 1) {
  Model model;
  model.network = network;
  model.visible.dims = network.dims;
  model.visible.size = visible;
  model.visible.spacing = network.dims == 2 ? Vec3{0.8, 1.1, 1} : Vec3{0.8, 1.1, 1.3};
  model.visible.origin = network.dims == 2 ? Vec3{-3, 4, 0} : Vec3{-3, 4, 20};
  model.pad_before = pad_to_multiple(model.visible, 1 << network.depth, model.padded);
  model.content_centre = model.visible.centre();
  model.parameters = initial_parameters(network, seed);
  model.atlas = ball(model.padded);
  return model;
}

}  // namespace aladdin::testing
