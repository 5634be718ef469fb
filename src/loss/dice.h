// The soft Dice loss of two label maps as one-hot channels a, b: (n, labels, …), values in [0, 1]:
//
//   1 - mean over items and labels of  2 sum_x a b / (sum_x a + sum_x b)
//
// Labels that neither has do not count. Channel 0 is the first structure, not the background.
#pragma once

#include <ATen/ATen.h>

namespace aladdin {

at::Tensor soft_dice_loss(const at::Tensor& a, const at::Tensor& b);

}  // namespace aladdin
