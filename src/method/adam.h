// Adam (Kingma and Ba 2015) with gradient clipping and an exponential average of the weights, in one
// sweep over each parameter.
#pragma once

#include <ATen/ATen.h>

#include <vector>

namespace aladdin {

struct AdamOptions {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double clip = 0;     // largest norm of the whole gradient; 0: any
  double average = 0;  // of the weights: average <- a average + (1 - a) weights, a rising to this
};

class Adam {
 public:
  Adam(std::vector<at::Tensor> parameters, const AdamOptions& options);

  // Changes the parameters in place. Returns the norm of the gradient before clipping.
  double step(const std::vector<at::Tensor>& grads, double rate);

  // The averaged weights, or the weights themselves where none are averaged.
  const std::vector<at::Tensor>& averaged() const {
    return average_.empty() ? parameters_ : average_;
  }

  // For checkpoints: first moments, second moments, averages, each like the parameters.
  std::vector<at::Tensor> state() const;
  void restore(const std::vector<at::Tensor>& state, std::int64_t steps);
  std::int64_t steps() const { return steps_; }

 private:
  std::vector<at::Tensor> parameters_, first_, second_, average_;
  AdamOptions options_;
  std::int64_t steps_ = 0;
};

}  // namespace aladdin
