#include "aladdin/optimise/optimiser.h"

#include <cmath>
#include <limits>

#include "aladdin/optimise/grids.h"
#include "aladdin/optimise/minimise.h"
#include "aladdin/optimise/start.h"
#include "aladdin/optimise/unfold.h"

namespace aladdin {
namespace {

using Values = std::vector<float>;

}  // namespace

Optimiser::Optimiser(const Config& config, const kernels::Shape& full,
                     const std::array<double, 3>& spacing_mm)
    : config_(config), full_(full), spacing_(spacing_mm) {}

ImagePair Optimiser::reduced(const ImagePair& images, int stage) const {
  return {aladdin::reduced(images.atlas, full_, stage),
          aladdin::reduced(images.image, full_, stage),
          aladdin::reduced(images.mask, full_, stage)};
}

std::array<double, 3> Optimiser::spacing_at(int stage) const {
  std::array<double, 3> out = spacing_;
  for (double& s : out) s *= stage;
  return out;
}

double Optimiser::mismatch(const ImagePair& images, const Values& v) const {
  Config config = config_;
  config.loss.sim = 1;
  config.loss.lambda = config.loss.volume = 0;
  return RegistrationEnergy(config, full_, spacing_, images)(v.data(), nullptr);
}

Config Optimiser::config_at(int stage) const {
  Config config = config_;
  if (config.loss.regulariser == RegulariserKind::bending) config.loss.lambda *= stage * stage;
  return config;
}

Values Optimiser::refined(Values v, int from, int to) const {
  return aladdin::refined(std::move(v), full_, from, to);
}

Values Optimiser::start(const ImagePair& images, int stage) const {
  // No finer than it need be: affine motion has few numbers.
  constexpr std::int64_t kVoxels = 1 << 15;
  int r = stage;
  while (coarser(full_, r).voxels() > kVoxels) r *= 2;
  const int scale = config_.network.velocity_scale;
  return refined(affine_start(config_, coarser(full_, r), spacing_at(r), reduced(images, r)),
                 r * scale, stage * scale);
}

Values Optimiser::improve(const ImagePair& images, Values v, int stage, int iterations) const {
  const Config config = config_at(stage);
  RegistrationEnergy energy(config, coarser(full_, stage), spacing_at(stage),
                            reduced(images, stage));
  const LossConfig& loss = config.loss;
  const Preconditioner preconditioner(energy.velocity_shape(), energy.velocity_spacing_mm(),
                                      {.kappa = energy.curvature(),
                                       .lambda = loss.lambda,
                                       .bending = loss.regulariser == RegulariserKind::bending});
  const auto descend = [&](Values& from, int most) {
    // What a coarser grid found, or a network said, may fold here.
    while (!std::isfinite(energy(from.data(), nullptr)))
      for (float& x : from) x *= 0.9F;
    return minimise(energy, preconditioner,
                    {.iterations = most, .tolerance = config_.optimise.tolerance}, from)
        .energy;
  };
  double least = v.empty() ? std::numeric_limits<double>::infinity() : descend(v, iterations);
  const bool coarsest = stage > 1 && stage == config_.train.pyramid.front();
  if (!v.empty() && !coarsest) return v;
  // Where it costs least every start is tried, each time: what began badly is not lost for good.
  std::vector<Values> starts{start(images, stage)};
  if (coarsest) starts.emplace_back(starts[0].size(), 0.0F);
  for (Values& other : starts)
    if (const double found = descend(other, std::max(iterations, config_.optimise.iterations));
        found < least) {
      least = found;
      v = std::move(other);
    }
  return v;
}

Values Optimiser::refine(const ImagePair& images, const Values& v0, int iterations) const {
  Values v = improve(images, v0, 1, iterations);
  const NetworkConfig& n = config_.network;
  unfold(v, full_, n.velocity_scale, n.squarings,
         n.published ? kernels::Border::zero : kernels::Border::clamp);
  return v;
}

Values Optimiser::register_image(const ImagePair& images, int stage) const {
  Values v;
  const int scale = config_.network.velocity_scale;
  int before = 0;
  for (const int r : config_.train.pyramid) {
    if (r < stage) break;
    if (before > 0) v = refined(std::move(v), before * scale, r * scale);
    v = r == 1 ? refine(images, v.empty() ? start(images, 1) : v, config_.optimise.iterations)
               : improve(images, std::move(v), r, config_.optimise.iterations);
    before = r;
  }
  return v;
}

}  // namespace aladdin
