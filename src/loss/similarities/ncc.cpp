// One minus the normalised cross-correlation of whole images (kernels/similarity.h).
#include "aladdin/loss/dissimilarity.h"
#include "aladdin/ops/similarity.h"

namespace aladdin {

const RegisteredSimilarity kNcc(SimilarityKind::ncc, [](const LossConfig&) { return ops::ncc; });

}  // namespace aladdin
