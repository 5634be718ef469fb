#include "aladdin/method/flow.h"

#include <gtest/gtest.h>

namespace aladdin {
namespace {

TEST(Flow, IntegratesBothWays) {
  for (const int scale : {1, 2}) {
    NetworkConfig config;
    config.velocity_scale = scale;
    const Flow flow(config);
    const std::vector<int64_t> sizes{1, 1, 12, 16};
    const at::Tensor v = at::full(flow.velocity_sizes(sizes), 0.5);
    EXPECT_EQ(v.sizes(), (std::vector<int64_t>{1, 2, 12 / scale, 16 / scale}));
    const Fields f = flow(v, sizes);
    // The exponential of a constant is that constant; the images' voxels are smaller.
    EXPECT_LT((f.to_subject - 0.5 * scale).abs().max().item<double>(), 1e-5);
    EXPECT_LT((f.to_atlas + 0.5 * scale).abs().max().item<double>(), 1e-5);
    EXPECT_LT((f.to_subject_coarse - 0.5).abs().max().item<double>(), 1e-5);
    EXPECT_EQ(f.to_atlas.size(2), 12);
    EXPECT_TRUE(flow.to_subject(v, sizes).equal(f.to_subject));
  }
}

}  // namespace
}  // namespace aladdin
