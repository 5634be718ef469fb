#include "aladdin/method/instance.h"

#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <limits>

#include "aladdin/core/error.h"
#include "aladdin/evaluate/folds.h"
#include "aladdin/method/pyramid.h"
#include "aladdin/method/smooth_descent.h"

namespace aladdin {

InstanceOptimiser::InstanceOptimiser(const Config& config, const std::array<double, 3>& spacing_mm)
    : config_(config), spacing_(spacing_mm), flow_(config.network), energy_(config.loss) {}

bool InstanceOptimiser::folds(const at::Tensor& velocity, at::IntArrayRef image_sizes) const {
  const at::NoGradGuard no_grad;
  const Fields f = flow_.published(velocity, image_sizes);
  for (const at::Tensor& field : {f.to_subject, f.to_atlas}) {
    const at::Tensor u = field.cpu().contiguous();
    const auto count = evaluate::count_folds(u.data_ptr<float>(), ops::shape_of(u));
    if (count.not_positive > 0 || count.folded_cells > 0) return true;
  }
  return false;
}

at::Tensor InstanceOptimiser::minimise(const at::Tensor& atlas, const Batch& batch,
                                       const at::Tensor& v0, int iterations, int stage) const {
  const at::AutoGradMode with_gradients(true);
  const OptimiseConfig& o = config_.optimise;
  std::array<double, 3> spacing = spacing_;
  for (double& s : spacing) s *= stage;
  SmoothDescent descent(v0, o.sigma);
  at::Tensor best = v0;
  double least = std::numeric_limits<double>::infinity(), first_sim = 0;
  for (int k = 0; k <= iterations; ++k) {
    const at::Tensor v = descent.velocity();
    const Terms terms = energy_(atlas, batch, flow_(v, batch.images.sizes()), spacing,
                                config_.network.velocity_scale);
    const double energy = terms.energy.item<double>();
    if (!std::isfinite(energy)) fail("the energy of the registration is not finite");
    if (k == 0) first_sim = terms.sim;
    if (energy < least && terms.sim <= first_sim) {
      least = energy;
      best = v.detach();
    }
    if (k == iterations) break;
    // The last steps are small: a tenth of the first.
    descent.step(torch::autograd::grad({terms.energy}, {descent.leaf()})[0],
                 o.rate * (1 - 0.9 * k / iterations));
  }
  return best;
}

at::Tensor InstanceOptimiser::refine_velocity(const at::Tensor& atlas, const Batch& batch,
                                              const at::Tensor& v0, int iterations) const {
  const at::Tensor start = v0.detach();
  const at::Tensor v = minimise(atlas, batch, start, iterations, 1);
  // Back to the start if need be: that is where it came from, folded or not.
  for (const double part : {1.0, 0.75, 0.5, 0.25}) {
    const at::Tensor candidate = start + (v - start) * part;
    if (!folds(candidate, batch.images.sizes())) return candidate;
  }
  return start;
}

at::Tensor InstanceOptimiser::register_image(const at::Tensor& atlas, const Batch& batch,
                                             int iterations, int stage) const {
  const int scale = flow_.velocity_scale();
  const auto& full = batch.images.sizes();
  at::Tensor v;
  int before = 0;
  for (const int r : config_.train.pyramid) {
    if (r < stage) break;
    Batch coarse = batch;
    coarse.images = reduce(batch.images, r);
    if (batch.masks.defined()) coarse.masks = reduce(batch.masks, r);
    const at::Tensor fixed = reduce(atlas, r);
    v = v.defined() ? refine(v, before * scale, r * scale, full)
                    : at::zeros(flow_.velocity_sizes(coarse.images.sizes()), atlas.options());
    v = r == 1 ? refine_velocity(fixed, coarse, v, iterations)
               : minimise(fixed, coarse, v, iterations, r);
    before = r;
  }
  return v;
}

}  // namespace aladdin
