#include "aladdin/method/fitted_learner.h"

#include <fmt/format.h>

#include "aladdin/method/tensor_file.h"
#include "aladdin/network/own_registration.h"
#include "aladdin/ops/tensor.h"

namespace aladdin {

FittedLearner::FittedLearner(const Config& config, const TrainingData& data)
    : config_(config), data_(data), place_(data.dataset().size()) {
  for (std::size_t k = 0; k < data.training().size(); ++k) {
    place_[data.training()[k]] = k;
    displacements_.push_back(
        no_displacement(at::empty(data.image_shape(), at::TensorOptions(data.device()))));
  }
}

at::Tensor FittedLearner::registered(const at::Tensor& atlas, std::size_t subject, int) const {
  if (data_.dataset().cohort().subjects[subject].is_for_training())
    return displacements_[place_[subject]];
  return register_to(atlas, data_.image(subject), no_displacement(atlas));
}

at::Tensor FittedLearner::register_to(const at::Tensor& atlas, const at::Tensor& image,
                                      const at::Tensor& start) const {
  const auto found = register_by_own_means(config_, ops::shape_of(start), data_.spacing(),
                                           values_of(atlas), values_of(image), values_of(start));
  return at::tensor(found).view(start.sizes()).to(start.device());
}

void FittedLearner::save(Safetensors& file) const {
  for (std::size_t k = 0; k < displacements_.size(); ++k)
    add_tensor(file, fmt::format("displacement.{}", k), displacements_[k]);
}

void FittedLearner::restore(const Safetensors& file) {
  for (std::size_t k = 0; k < displacements_.size(); ++k)
    displacements_[k] = take_tensor(file, fmt::format("displacement.{}", k), displacements_[k]);
}

at::Tensor no_displacement(const at::Tensor& image) {
  std::vector<int64_t> sizes = image.sizes().vec();
  sizes[1] = image.dim() - 2;
  return at::zeros(sizes, image.options());
}

StepResult mean_distance(double sum, const Step& step) {
  StepResult out;
  out.terms.sim = sum / double(step.subjects.size());
  out.terms.energy = at::scalar_tensor(out.terms.sim, at::kDouble);
  return out;
}

}  // namespace aladdin
