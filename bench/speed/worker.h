// One piece of work in a process of its own, which a line at a time asks for: "run" does it once
// (answer: seconds), "value" what it computed, "cpu" the seconds of all cores so far, "peak" the most memory (bytes). peer.py speaks the
// same, and computes the same in plain PyTorch.
#pragma once

#include <array>
#include <functional>

#include "aladdin/core/files.h"
#include "aladdin/network/unet_layers.h"

namespace aladdin::bench {

using Size = std::array<std::int64_t, 3>;  // d, h, w

// Weights that move voxels by a little, an atlas and `batch` smooth images.
void write_inputs(const Path& path, const Size& size, int batch);

// Does it once, and leaves what it computed in `value`.
using Work = std::function<void(double& value)>;
// kind: "register" (network, exponential, warp, the first of the images) or "peak" (its value: operations a second that
// oneDNN reaches). step.cpp has the training step.
Work work_of(const std::string& kind, const Path& inputs);

// Answers until the end of its input.
void serve(const Work& work);

}  // namespace aladdin::bench
