// What a training says of itself: a line of metrics.csv for each epoch, and a line to the user now and
// then.
#pragma once

#include <chrono>

#include "aladdin/train/trainer.h"

namespace aladdin {

std::string metrics_line(const TrainingNews& news);
// metrics.csv with its header and all lines so far.
void write_metrics(const RunDirectory& run, const TrainingState& state);

// Talks when there is a validation, else at most every ten seconds, and writes metrics.csv then.
class Narrator {
 public:
  explicit Narrator(RunDirectory run) : run_(std::move(run)) {}

  void operator()(const TrainingNews& news);
  // On a terminal, the line at its bottom; a few times a second.
  void step(const TrainingNews& news);

 private:
  using Clock = std::chrono::steady_clock;
  std::string describe(const TrainingNews& news, Clock::time_point now);
  std::string time_left(const TrainingNews& news, Clock::time_point now);

  RunDirectory run_;
  std::optional<double> first_;  // fraction of the work when this process took over
  Clock::time_point begin_ = Clock::now(), last_{}, drawn_{};
  std::string validation_;  // the last one, in words
};

}  // namespace aladdin
