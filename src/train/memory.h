// Predicts the peak memory of a training from the sizes of what a step keeps.
#pragma once

#include <cstdint>

#include "aladdin/config/config.h"
#include "aladdin/image/grid.h"

namespace aladdin {

// Peak bytes per process when `processes` share `subjects`; `dataset_bytes` is what one process keeps of the images and
// labels in memory.
std::uint64_t predict_memory(const Config& config, const Grid& padded, std::size_t subjects,
                             std::uint64_t dataset_bytes, int processes = 1);

}  // namespace aladdin
