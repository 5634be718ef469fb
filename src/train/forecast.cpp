#include "aladdin/train/forecast.h"

#include <chrono>
#include <cmath>

#include "aladdin/core/parallel.h"
#include "aladdin/method/tensor_file.h"
#include "aladdin/method/velocity_learner.h"

namespace aladdin {
namespace {

// Of both fields of a subject, for each voxel of the grid: integrated, measured, packed and written.
constexpr double kSecondsPerVoxel = 4e-6;
// Of a thread, for each voxel of a subject's own image: labels carried to it, Dice, pictures.
constexpr double kSecondsPerNativeVoxel = 3.4e-7;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Of one image, as it is registered when it is published.
double time_registration(const Config& config, const TrainingData& data, const Trainer& trainer) {
  const Optimiser optimiser = optimiser_of(config, data);
  const std::size_t subject = data.training().front();
  const ImagePair images = image_pair(trainer.atlas(), data, subject);
  if (config.train.optimises()) return seconds_of([&] { optimiser.register_image(images); });
  return seconds_of([&] {
    const auto start = values_of(trainer.registered(subject));
    if (config.train.refine > 0) optimiser.refine(images, start, config.train.refine);
  });
}

}  // namespace

Forecast forecast(const Config& config, const TrainingData& data, Trainer& trainer, bool page) {
  const TrainConfig& t = config.train;
  Forecast out;
  for (const int coarsening : t.pyramid) out.steps.push_back(trainer.time_step(coarsening));
  const double training = double(data.training().size()),
               validation = double(data.validation().size()), all = double(data.dataset().size());
  const bool alone = t.optimises() || t.learns();
  const double registration = alone ? time_registration(config, data, trainer) : 0;
  for (std::size_t s = 0; s < out.steps.size(); ++s) {
    // Optimised velocities take a step for all the epochs between two atlases.
    const double rounds =
        t.optimises() ? std::ceil(double(t.epochs[s]) / config.atlas.every) : double(t.epochs[s]);
    const double checked = t.learns() ? rounds / std::max(1, t.validate_every) : 1;
    const double here = registration * std::pow(t.pyramid[s], -data.dataset().grid().dims);
    out.training +=
        rounds * double(trainer.steps_an_epoch()) * out.steps[s] + checked * validation * here;
    if (t.learns()) out.training += rounds / config.atlas.every * training * here;
  }
  // From coarse to fine in two dozen rounds, each a tenth of a registration.
  if (t.is_taught()) out.training += 2.5 * registration * training / threads();
  if (t.minutes > 0) out.training = 60 * t.minutes;
  out.publishing = all * double(data.dataset().grid().voxels()) * kSecondsPerVoxel;
  // Centring registers the training subjects twice more, the second time from near by.
  out.publishing += registration * (all + (config.atlas.centre ? 1.5 * training : 0)) / threads();
  if (page)
    for (const Subject& subject : data.dataset().cohort().subjects)
      out.publishing += double(subject.grid.voxels()) * kSecondsPerNativeVoxel / threads();
  return out;
}

}  // namespace aladdin
