#include "aladdin/network/unet_cost.h"

#include <gtest/gtest.h>

namespace aladdin {
namespace {

// Width 1, depth 2, half-resolution velocity, on 4 x 4: places times weights of every layer, by hand.
TEST(UnetCost, CountsEveryConvolutionOnce) {
  const UnetOptions options{2, 2, 1, 2, 2};
  const double forward = 2.0 * (16 * 9 * (2 * 1)                   // down0
                                + 4 * 9 * (1 * 2 + 2 * 2 + 2 * 2)  // down1
                                + 1 * 9 * (2 * 4 + 4 * 4)          // down2
                                + 1 * 4 * (4 * 2)                  // up1.up, at its input's places
                                + 4 * 9 * (4 * 1 + 1 * 1)          // up1
                                + 4 * 9 * (1 * 2));                // the velocity
  EXPECT_DOUBLE_EQ(unet_flops(options, {1, 2, 4, 4}), forward);
  EXPECT_DOUBLE_EQ(unet_flops(options, {3, 2, 4, 4}), 3 * forward);
  EXPECT_DOUBLE_EQ(unet_training_flops(options, {1, 2, 4, 4}), 3 * forward - 2.0 * 16 * 9 * 2);
}

TEST(UnetCost, ThePapersNetwork) {
  EXPECT_NEAR(unet_flops({}, {1, 2, 48, 64, 48}) / 1e9, 8.13, 0.01);
}

}  // namespace
}  // namespace aladdin
