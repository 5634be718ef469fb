// The dissimilarity L_sim of two batches of images by name (mse, ncc, lncc, mi), a mean over the
// batch. a, b: (n, 1, …); the result is a scalar, 0 for a perfect match (mi: 2 minus the normalised
// mutual information).
#pragma once

#include <ATen/ATen.h>

#include "aladdin/config/config.h"

namespace aladdin {

class Similarity {
 public:
  explicit Similarity(const LossConfig& config);

  at::Tensor operator()(const at::Tensor& a, const at::Tensor& b) const;
  // Outside `mask` (0) the first image is taken to match the second, and has no gradient.
  at::Tensor operator()(const at::Tensor& a, const at::Tensor& b, const at::Tensor& mask) const;

 private:
  enum class Kind { mse, ncc, lncc, mi };
  Kind kind_;
  int window_, bins_;
};

}  // namespace aladdin
