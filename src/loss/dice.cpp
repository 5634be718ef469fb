#include "aladdin/loss/dice.h"

namespace aladdin {

at::Tensor soft_dice_loss(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor p = a.flatten(2), q = b.flatten(2);
  const at::Tensor both = p.sum(2) + q.sum(2);
  const at::Tensor present = (both.detach() > 0).to(a.scalar_type());
  const at::Tensor dice = 2 * (p * q).sum(2) / both.clamp_min(1e-6);
  return 1 - (dice * present).sum() / present.sum().clamp_min(1);
}

}  // namespace aladdin
