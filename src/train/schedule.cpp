#include "aladdin/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aladdin {
namespace {

// The optimiser and the small layers cost the same on every grid.
constexpr double kFixedWork = 0.04;

}  // namespace

Schedule::Schedule(const Config& all, int dims) : config_(all.train) {
  const TrainConfig& config = all.train;
  const bool learns = config.learns();
  double total = 0;
  std::vector<double> work;
  for (std::size_t s = 0; s < config.pyramid.size(); ++s) {
    double an_epoch = kFixedWork;
    if (!learns) an_epoch += std::pow(config.pyramid[s], -dims);
    for (const int r : all.network.passes)
      if (learns && r >= config.pyramid[s]) an_epoch += std::pow(r, -dims);
    work.push_back(an_epoch * config.epochs[s]);
    total += work.back();
  }
  double done = 0;
  for (std::size_t s = 0; s < work.size(); ++s) {
    Stage stage{config.pyramid[s], config.epochs[s], done / total, 1};
    // Velocities are optimised for as many epochs at once as there are between two atlases.
    if (config.optimises()) stage.epochs = (stage.epochs + all.atlas.every - 1) / all.atlas.every;
    done += work[s];
    if (s + 1 < work.size()) stage.end = done / total;
    stages_.push_back(stage);
  }
}

double Schedule::fraction(std::size_t stage, int epoch, double part) const {
  const Stage& s = stages_[stage];
  return s.begin + (s.end - s.begin) * std::min(1.0, (epoch + part) / s.epochs);
}

double Schedule::fraction_of_time(double seconds) const {
  return std::min(1.0, seconds / (60 * config_.minutes));
}

double Schedule::rate(double fraction) const {
  if (config_.schedule == RateSchedule::constant) return config_.rate;
  if (config_.schedule == RateSchedule::multistep) {
    double rate = config_.rate;
    for (const double milestone : config_.milestones)
      if (fraction >= milestone) rate *= config_.decay;
    return rate;
  }
  const double rising =
      config_.warmup > 0 ? std::min(1.0, 0.05 + 0.95 * fraction / config_.warmup) : 1.0;
  return config_.rate * rising * 0.5 * (1 + std::cos(std::numbers::pi * fraction));
}

}  // namespace aladdin
