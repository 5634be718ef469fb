// The mean squared difference (kernels/similarity.h).
#include "aladdin/loss/dissimilarity.h"
#include "aladdin/ops/similarity.h"

namespace aladdin {

const RegisteredSimilarity kMse(SimilarityKind::mse, [](const LossConfig&) { return ops::mse; });

}  // namespace aladdin
