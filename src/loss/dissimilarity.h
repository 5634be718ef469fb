// The dissimilarity L_sim of two batches of images by name (loss.similarity), a mean over the batch.
// a, b: (n, 1, …); the result is a scalar, 0 for a perfect match. Each is a file in loss/similarities.
#pragma once

#include <ATen/ATen.h>

#include <functional>

#include "aladdin/config/config.h"

namespace aladdin {

class Dissimilarity {
 public:
  using Function = std::function<at::Tensor(const at::Tensor& a, const at::Tensor& b)>;

  explicit Dissimilarity(const LossConfig& config);

  at::Tensor operator()(const at::Tensor& a, const at::Tensor& b) const { return function_(a, b); }
  // Outside `mask` (0) the first image is taken to match the second, and has no gradient.
  at::Tensor operator()(const at::Tensor& a, const at::Tensor& b, const at::Tensor& mask) const;

 private:
  Function function_;
};

// A static object of this in its file makes a similarity known:
//
//   const RegisteredSimilarity kMine(SimilarityKind::mine, [](const LossConfig& config) {
//     return [](const at::Tensor& a, const at::Tensor& b) { return …; };
//   });
struct RegisteredSimilarity {
  RegisteredSimilarity(SimilarityKind kind,
                       std::function<Dissimilarity::Function(const LossConfig& config)> make);
};

}  // namespace aladdin
