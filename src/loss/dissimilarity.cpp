#include "aladdin/loss/dissimilarity.h"

#include <map>

#include "aladdin/core/error.h"

namespace aladdin {
namespace {

using Make = std::function<Dissimilarity::Function(const LossConfig&)>;

std::map<SimilarityKind, Make>& registry() {
  static std::map<SimilarityKind, Make> all;
  return all;
}

Dissimilarity::Function make(const LossConfig& config) {
  const auto found = registry().find(config.similarity);
  if (found == registry().end())
    fail("the similarity '{}' has no file in src/loss/similarities", name_of(config.similarity));
  return found->second(config);
}

}  // namespace

RegisteredSimilarity::RegisteredSimilarity(SimilarityKind kind, Make make) {
  registry()[kind] = std::move(make);
}

Dissimilarity::Dissimilarity(const LossConfig& config) : function_(make(config)) {}

at::Tensor Dissimilarity::operator()(const at::Tensor& a, const at::Tensor& b,
                                     const at::Tensor& mask) const {
  return mask.defined() ? (*this)(at::where(mask > 0.5, a, b), b) : (*this)(a, b);
}

}  // namespace aladdin
