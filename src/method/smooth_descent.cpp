#include "aladdin/method/smooth_descent.h"

#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/method/tensor_file.h"
#include "aladdin/ops/smooth.h"

namespace aladdin {

at::Tensor smooth(const at::Tensor& field, double sigma) {
  return sigma <= 0 ? field : ops::smooth(field, sigma);
}

SmoothDescent::SmoothDescent(at::Tensor base, double sigma)
    : base_(std::move(base)),
      change_(at::zeros_like(base_).requires_grad_(true)),
      sigma_(sigma),
      adam_({change_}, {.beta2 = 0.99, .epsilon = 0.1}) {}

double SmoothDescent::step(const at::Tensor& grad, double rate) {
  const double squares = grad.square().sum().item<double>();
  if (!std::isfinite(squares)) return squares;
  if (scale_ == 0) scale_ = std::sqrt(squares / double(grad.numel()));
  if (scale_ > 0) adam_.step({grad * (1 / scale_)}, rate);
  return std::sqrt(squares);
}

void SmoothDescent::save(Safetensors& file, const std::string& name) const {
  add_tensor(file, name + ".base", base_);
  add_tensor(file, name + ".change", change_);
  const auto adam = adam_.state();
  for (std::size_t i = 0; i < adam.size(); ++i)
    add_tensor(file, fmt::format("{}.adam.{}", name, i), adam[i]);
  file.metadata[name + ".steps"] = std::to_string(adam_.steps());
  file.metadata[name + ".scale"] = fmt::format("{:a}", scale_);
}

SmoothDescent SmoothDescent::restored(const Safetensors& file, const std::string& name,
                                      double sigma, const at::Tensor& like) {
  const at::NoGradGuard no_grad;
  SmoothDescent out(take_tensor(file, name + ".base", like), sigma);
  out.change_.copy_(take_tensor(file, name + ".change", like));
  auto adam = out.adam_.state();
  for (std::size_t i = 0; i < adam.size(); ++i)
    adam[i] = take_tensor(file, fmt::format("{}.adam.{}", name, i), like);
  out.adam_.restore(adam, take_count(file, name + ".steps", kMostSteps));
  out.scale_ = std::strtod(file.text(name + ".scale").c_str(), nullptr);
  if (!(out.scale_ >= 0) || std::isinf(out.scale_))
    fail("the '{}.scale' of a checkpoint is not a finite number of at least 0", name);
  return out;
}

}  // namespace aladdin
