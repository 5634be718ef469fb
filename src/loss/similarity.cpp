#include "aladdin/loss/similarity.h"

#include "aladdin/core/error.h"
#include "aladdin/loss/mutual_information.h"
#include "aladdin/ops/similarity.h"

namespace aladdin {

Similarity::Similarity(const LossConfig& config) : window_(config.window), bins_(config.bins) {
  if (config.similarity == "mse")
    kind_ = Kind::mse;
  else if (config.similarity == "ncc")
    kind_ = Kind::ncc;
  else if (config.similarity == "lncc")
    kind_ = Kind::lncc;
  else if (config.similarity == "mi")
    kind_ = Kind::mi;
  else
    fail_usage("there is no similarity '{}', expected mse, ncc, lncc or mi", config.similarity);
}

at::Tensor Similarity::operator()(const at::Tensor& a, const at::Tensor& b) const {
  switch (kind_) {
    case Kind::mse:
      return ops::mse(a, b);
    case Kind::ncc:
      return ops::ncc(a, b);
    case Kind::lncc:
      return ops::lncc(a, b, window_);
    case Kind::mi:
      return mutual_information_loss(a, b, bins_);
  }
  fail("unreachable");
}

at::Tensor Similarity::operator()(const at::Tensor& a, const at::Tensor& b,
                                  const at::Tensor& mask) const {
  return mask.defined() ? (*this)(at::where(mask > 0.5, a, b), b) : (*this)(a, b);
}

}  // namespace aladdin
