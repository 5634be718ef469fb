#include "aladdin/kernels/channel_sums.h"

#include <gtest/gtest.h>

#include <vector>

#include "aladdin/core/parallel.h"
#include "aladdin/core/rng.h"

namespace aladdin::kernels {
namespace {

TEST(ChannelSums, EveryChannelWhateverTheLayoutAndTheThreads) {
  for (const ChannelLayout& s : {ChannelLayout{2, 5, 3000, 1}, ChannelLayout{2, 16, 2500, 16},
                                 ChannelLayout{1, 3, 40000, 16}, ChannelLayout{3, 24, 1, 16},
                                 ChannelLayout{1, 20, 1031, 8}}) {
    const std::int64_t groups = (s.channels + s.block - 1) / s.block;
    std::vector<float> values(static_cast<std::size_t>(s.n * groups * s.voxels * s.block));
    Rng rng(5);
    for (float& value : values) value = static_cast<float>(rng.normal());
    std::vector<double> expected(static_cast<std::size_t>(groups * s.block), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      expected[at / (s.voxels * s.block) % groups * s.block + at % s.block] += values[i];
    }
    std::vector<float> one(static_cast<std::size_t>(s.channels));
    set_threads(1);
    sum_channels(values.data(), one.data(), s);
    for (std::int64_t c = 0; c < s.channels; ++c) EXPECT_NEAR(one[c], expected[c], 1e-3) << c;
    for (const int count : {2, 3, 8}) {
      set_threads(count);
      std::vector<float> several(one.size());
      sum_channels(values.data(), several.data(), s);
      EXPECT_EQ(several, one) << count;
    }
  }
  set_threads(0);
}

}  // namespace
}  // namespace aladdin::kernels
