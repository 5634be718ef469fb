#include "aladdin/kernels/channel_sums.h"

#include <algorithm>
#include <vector>

#include "aladdin/core/parallel.h"

namespace aladdin::kernels {
namespace {

constexpr std::int64_t kPart = 1024;  // voxels that are summed in float, before parts are in double
constexpr int kLanes = 8;             // of a row-major channel

void sum_blocked(const float* from, std::int64_t count, int block, float* sums) {
  for (; count > 0; --count, from += block)
    for (int c = 0; c < block; ++c) sums[c] += from[c];
}

float sum_row(const float* from, std::int64_t count) {
  float lanes[kLanes] = {};
  const std::int64_t whole = count / kLanes * kLanes;
  sum_blocked(from, whole / kLanes, kLanes, lanes);
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  for (std::int64_t i = whole; i < count; ++i) sum += from[i];
  return sum;
}

}  // namespace

void sum_channels(const float* values, float* sums, const ChannelLayout& s) {
  const std::int64_t groups = (s.channels + s.block - 1) / s.block;
  const std::int64_t parts = (s.voxels + kPart - 1) / kPart, tasks = s.n * groups * parts;
  std::vector<float> found(static_cast<std::size_t>(tasks * s.block), 0.0F);
  parallel_ranges(tasks, 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = i % parts * kPart, count = std::min(kPart, s.voxels - first);
      const float* from = values + (i / parts * s.voxels + first) * s.block;
      if (s.block == 1)
        found[i] = sum_row(from, count);
      else
        sum_blocked(from, count, s.block, found.data() + i * s.block);
    }
  });
  std::vector<double> total(static_cast<std::size_t>(groups * s.block), 0.0);
  for (std::int64_t i = 0; i < tasks; ++i)
    for (int c = 0; c < s.block; ++c)
      total[i / parts % groups * s.block + c] += found[i * s.block + c];
  std::copy_n(total.begin(), s.channels, sums);
}

}  // namespace aladdin::kernels
