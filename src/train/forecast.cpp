#include "aladdin/train/forecast.h"

#include <chrono>
#include <cmath>

#include "aladdin/core/parallel.h"
#include "aladdin/method/instance.h"

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

// Of one iteration that refines what a network has found.
double time_refinement(const Config& config, const TrainingData& data, const Trainer& trainer) {
  constexpr int kIterations = 2;
  const InstanceOptimiser instance(config, data.spacing());
  const std::size_t subject = data.training().front();
  const at::Tensor start = trainer.registered(subject);
  return seconds_of([&] {
           instance.refine_velocity(trainer.atlas(), data.batch({subject}, false), start,
                                    kIterations);
         }) /
         kIterations;
}

}  // namespace

Forecast forecast(const Config& config, const TrainingData& data, Trainer& trainer, bool page) {
  const TrainConfig& t = config.train;
  Forecast out;
  for (const int coarsening : t.pyramid) out.steps.push_back(trainer.time_step(coarsening));
  const double training = double(data.training().size()),
               validation = double(data.validation().size()), all = double(data.dataset().size());
  // One registration of a subject of which nothing is known, at each stage.
  std::vector<double> registration(out.steps.size(), 0);
  if (t.learns()) {
    trainer.registered(data.training().front());
    const double full = seconds_of([&] { trainer.registered(data.training().front()); });
    for (std::size_t s = 0; s < registration.size(); ++s)
      registration[s] = full * std::pow(t.pyramid[s], -data.dataset().grid().dims);
  } else if (t.optimises()) {
    double so_far = 0;
    for (std::size_t s = 0; s < registration.size(); ++s)
      registration[s] = so_far += config.optimise.iterations * out.steps[s] / t.batch;
  }
  for (std::size_t s = 0; s < out.steps.size(); ++s) {
    const double epochs = t.minutes > 0 ? 0 : t.epochs[s];
    const double checked = t.learns() ? epochs / std::max(1, t.validate_every) : 1;
    out.training += epochs * double(trainer.steps_an_epoch()) * out.steps[s] +
                    checked * validation * registration[s];
    if (t.learns()) out.training += epochs / config.atlas.every * training * registration[s];
  }
  if (t.minutes > 0) out.training = 60 * t.minutes;
  out.publishing = all * double(data.dataset().grid().voxels()) * kSecondsPerVoxel;
  out.publishing += (t.learns() ? all : all - training) * registration.back();
  if (t.learns() && t.refine > 0)
    out.publishing += all * t.refine * time_refinement(config, data, trainer);
  if (page)
    for (const Subject& subject : data.dataset().cohort().subjects)
      out.publishing += double(subject.grid.voxels()) * kSecondsPerNativeVoxel / threads();
  return out;
}

}  // namespace aladdin
