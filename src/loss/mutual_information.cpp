#include "aladdin/loss/mutual_information.h"

namespace aladdin {
namespace {

// (n, voxels) to the tent weights of every bin (n, bins, voxels).
at::Tensor votes(const at::Tensor& image, int bins) {
  const at::Tensor position = image.flatten(1).clamp(0, 1) * (bins - 1);
  const at::Tensor centres = at::arange(bins, image.options()).view({1, bins, 1});
  return (1 - (position.unsqueeze(1) - centres).abs()).clamp_min(0);
}

at::Tensor entropy(const at::Tensor& p) { return -(p * (p + 1e-10).log()).flatten(1).sum(1); }

}  // namespace

at::Tensor mutual_information_loss(const at::Tensor& a, const at::Tensor& b, int bins) {
  const at::Tensor by_a = votes(a, bins), by_b = votes(b, bins);
  const at::Tensor joint = at::bmm(by_a, by_b.transpose(1, 2)) / double(by_a.size(2));
  return (2 - (entropy(joint.sum(2)) + entropy(joint.sum(1))) / (entropy(joint) + 1e-10)).mean();
}

}  // namespace aladdin
