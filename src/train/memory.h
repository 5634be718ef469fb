// The memory that a training will take at its peak, predicted from the sizes of what a step keeps.
#pragma once

#include <cstdint>

#include "aladdin/config/config.h"
#include "aladdin/image/grid.h"

namespace aladdin {

// Bytes, of each of so many processes, which share so many subjects; `dataset_bytes` are those of the images and labels
// that one keeps in memory.
std::uint64_t predict_memory(const Config& config, const Grid& padded, std::size_t subjects,
                             std::uint64_t dataset_bytes, int processes = 1);

}  // namespace aladdin
