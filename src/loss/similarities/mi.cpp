// Normalised mutual information of two images with intensities in [0, 1], by Parzen windows: each
// intensity votes for the two nearest of `bins` bins, linearly, so that the joint histogram is
// differentiable (Mattes et al. 2003 use a cubic window in one of the images).
//
//   NMI(a, b) = (H(a) + H(b)) / H(a, b),  loss = 2 - NMI: 0 for a perfect match, 1 for none
//
// Images of other ranges are clamped. Differentiable once, in both images; plain Torch.
#include "aladdin/loss/dissimilarity.h"

namespace aladdin {
namespace {

// (n, voxels) to the tent weights of every bin (n, bins, voxels).
at::Tensor votes(const at::Tensor& image, int bins) {
  const at::Tensor position = image.flatten(1).clamp(0, 1) * (bins - 1);
  const at::Tensor centres = at::arange(bins, image.options()).view({1, bins, 1});
  return (1 - (position.unsqueeze(1) - centres).abs()).clamp_min(0);
}

at::Tensor entropy(const at::Tensor& p) { return -(p * (p + 1e-10).log()).flatten(1).sum(1); }

at::Tensor mutual_information_loss(const at::Tensor& a, const at::Tensor& b, int bins) {
  const at::Tensor by_a = votes(a, bins), by_b = votes(b, bins);
  const at::Tensor joint = at::bmm(by_a, by_b.transpose(1, 2)) / double(by_a.size(2));
  return (2 - (entropy(joint.sum(2)) + entropy(joint.sum(1))) / (entropy(joint) + 1e-10)).mean();
}

const RegisteredSimilarity kMi(SimilarityKind::mi, [](const LossConfig& config) {
  return [bins = config.bins](const at::Tensor& a, const at::Tensor& b) {
    return mutual_information_loss(a, b, bins);
  };
});

}  // namespace
}  // namespace aladdin
