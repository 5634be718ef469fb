// One piece of work in a process of its own, which a line at a time asks for: "run" does it once
// (answer: seconds), "value" what it computed, "resident" and "peak" the memory (bytes). peer.py speaks the
// same, and computes the same in plain PyTorch.
#pragma once

#include <array>

#include "aladdin/core/files.h"
#include "aladdin/network/unet_layers.h"

namespace aladdin::bench {

using Size = std::array<std::int64_t, 3>;  // d, h, w

UnetOptions paper_network();

// Weights that move voxels by a little, an atlas and `batch` smooth images.
void write_inputs(const Path& path, const Size& size, int batch);

// kind: "step" (a training step of --preset paper, Adam included), "register" (network, exponential, warp,
// the first of the images), "peak" (its value: operations a second that oneDNN reaches).
void serve(const std::string& kind, const Path& inputs);

}  // namespace aladdin::bench
