// One minus the squared normalised cross-correlation in windows (kernels/similarity.h).
#include "aladdin/loss/dissimilarity.h"
#include "aladdin/ops/similarity.h"

namespace aladdin {

const RegisteredSimilarity kLncc(SimilarityKind::lncc, [](const LossConfig& config) {
  return [window = config.window](const at::Tensor& a, const at::Tensor& b) {
    return ops::lncc(a, b, window);
  };
});

}  // namespace aladdin
