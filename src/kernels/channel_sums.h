// Sums of every channel over items and voxels, the same bits for any number of threads.
#pragma once

#include <cstdint>

namespace aladdin::kernels {

// Values lie as (n, groups, voxels, block): channel c is c % block of group c / block, and row-major is block 1. Those
// beyond `channels` in the last group are not looked at.
struct ChannelLayout {
  std::int64_t n, channels, voxels;
  int block;
};

void sum_channels(const float* values, float* sums, const ChannelLayout& layout);

}  // namespace aladdin::kernels
