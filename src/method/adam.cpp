#include "aladdin/method/adam.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/profile.h"

namespace aladdin {
namespace {

constexpr std::int64_t kRange = 16384;

struct Step {
  float beta1, beta2, scale, root, rate, epsilon, fresh;
};

// One binary for every x86-64: the compiler makes a version for each level, and the loader chooses.
__attribute__((target_clones("avx512f", "avx2,fma", "default"))) void sweep(
    float* p, float* m, float* s, float* average, const float* g, std::int64_t n,
    const Step& step) {
  const auto [b1, b2, c, r, rate, e, fresh] = step;
  for (std::int64_t i = 0; i < n; ++i) {
    const float grad = g[i] * c;
    m[i] = b1 * m[i] + (1 - b1) * grad;
    s[i] = b2 * s[i] + (1 - b2) * grad * grad;
    p[i] -= rate * m[i] / (std::sqrt(s[i]) * r + e);
  }
  if (!average) return;
  for (std::int64_t i = 0; i < n; ++i) average[i] += fresh * (p[i] - average[i]);
}

// In plain Torch, for other devices.
void step_plain(at::Tensor& p, at::Tensor& m, at::Tensor& s, const at::Tensor& g, double scale,
                const AdamOptions& o, double rate, double root) {
  const at::Tensor grad = g * scale;
  m.mul_(o.beta1).add_(grad, 1 - o.beta1);
  s.mul_(o.beta2).addcmul_(grad, grad, 1 - o.beta2);
  p.addcdiv_(m, s.sqrt().mul_(root).add_(o.epsilon), -rate);
}

double squared_norm(const at::Tensor& grad) {
  if (!grad.device().is_cpu()) return grad.square().sum().item<double>();
  // By ranges, so that the sum is the same for any number of threads.
  const float* g = grad.data_ptr<float>();
  const std::int64_t n = grad.numel();
  std::vector<double> parts((n + kRange - 1) / kRange);
  parallel_ranges(n, kRange, [&](std::int64_t begin, std::int64_t end) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = begin; i < end; ++i) sum += static_cast<double>(g[i]) * g[i];
    parts[begin / kRange] = sum;
  });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

}  // namespace

Adam::Adam(std::vector<at::Tensor> parameters, const AdamOptions& options) : options_(options) {
  for (const at::Tensor& parameter : parameters) {
    parameters_.push_back(parameter.detach());  // the same memory, no history
    first_.push_back(at::zeros_like(parameters_.back()));
    second_.push_back(at::zeros_like(parameters_.back()));
    if (options.average > 0) average_.push_back(parameters_.back().clone());
  }
}

double Adam::step(const std::vector<at::Tensor>& grads, double rate) {
  const profile::Span span("Adam");
  double norm = 0;
  for (const at::Tensor& grad : grads) norm += squared_norm(grad);
  norm = std::sqrt(norm);
  if (!std::isfinite(norm)) return norm;
  const double scale = options_.clip > 0 && norm > options_.clip ? options_.clip / norm : 1.0;
  ++steps_;
  const auto t = static_cast<double>(steps_);
  const double corrected = rate / (1 - std::pow(options_.beta1, t));
  const double root = 1 / std::sqrt(1 - std::pow(options_.beta2, t));
  // Young averages forget faster, else they would stay near the first weights.
  const double keep = std::min(options_.average, (1 + t) / (10 + t));
  const Step step{static_cast<float>(options_.beta1), static_cast<float>(options_.beta2),
                  static_cast<float>(scale),          static_cast<float>(root),
                  static_cast<float>(corrected),      static_cast<float>(options_.epsilon),
                  static_cast<float>(1 - keep)};
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    if (!parameters_[k].device().is_cpu()) {
      step_plain(parameters_[k], first_[k], second_[k], grads[k], scale, options_, corrected, root);
      if (!average_.empty()) average_[k].lerp_(parameters_[k], 1 - keep);
      continue;
    }
    const at::Tensor contiguous = grads[k].contiguous();
    const float* g = contiguous.data_ptr<float>();
    float *p = parameters_[k].data_ptr<float>(), *m = first_[k].data_ptr<float>(),
          *s = second_[k].data_ptr<float>();
    float* average = average_.empty() ? nullptr : average_[k].data_ptr<float>();
    parallel_ranges(parameters_[k].numel(), kRange, [=](std::int64_t begin, std::int64_t end) {
      sweep(p + begin, m + begin, s + begin, average ? average + begin : nullptr, g + begin,
            end - begin, step);
    });
  }
  return norm;
}

std::vector<at::Tensor> Adam::state() const {
  std::vector<at::Tensor> out = first_;
  out.insert(out.end(), second_.begin(), second_.end());
  out.insert(out.end(), average_.begin(), average_.end());
  return out;
}

void Adam::restore(const std::vector<at::Tensor>& state, std::int64_t steps) {
  std::size_t next = 0;
  for (auto* part : {&first_, &second_, &average_})
    for (at::Tensor& tensor : *part) {
      if (next >= state.size() || state[next].sizes() != tensor.sizes())
        fail("the optimiser's state does not fit the network");
      tensor.copy_(state[next++]);
    }
  steps_ = steps;
}

}  // namespace aladdin
